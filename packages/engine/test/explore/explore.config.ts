import { defineConfig } from 'vitest/config';

/** The long walk, which is no part of the tests that run every time. */
export default defineConfig({
  test: { include: ['**/test/explore/*.explore.ts'], testTimeout: 600_000 },
});
