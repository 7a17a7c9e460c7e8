import type { Reporter, TestModule } from 'vitest/node';

/** Ends a test run with one plain line: `N passed, N failed, N skipped`, summed over all packages. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    let broken = 0;
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) count[test.result().state] += 1;
      // A file that could not be loaded has no tests to count, and is a failure all the same.
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed'))
        broken += 1;
    }
    const failed = count.failed + count.pending + broken + errors.length;
    // The summary above is written through the same stream; this line comes last.
    process.stdout.write(`\n${count.passed} passed, ${failed} failed, ${count.skipped} skipped\n`);
  }
}
