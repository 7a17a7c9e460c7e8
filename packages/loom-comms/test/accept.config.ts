import { defineConfig } from 'vitest/config';

/** The suite against a real chat server: a command of its own, which no other run includes. */
export default defineConfig({
  test: { include: ['test/*.accept.ts'], testTimeout: 60_000 },
});
