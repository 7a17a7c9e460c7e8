import { defineConfig } from 'vitest/config';

/** The long suites: the same clauses as in the tests that run every time, over many more rounds and plans. */
export default defineConfig({
  test: {
    include: ['{packages,tooling}/*/test/**/*.soak.ts'],
    testTimeout: 600_000,
    maxWorkers: 2,
  },
});
