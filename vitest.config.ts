import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,apps,tooling}/*/{src,test}/**/*.test.ts'],
    reporters: ['default', './tooling/checks/src/count-reporter.ts'],
    testTimeout: 60_000,
    // Most of a test is waiting for git and other processes.
    maxWorkers: 2,
  },
});
