import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Minutes long, with real git and processes: begun first, so that no worker is left with one at the end. */
const LONG = [
  /never-destroy/u,
  /apps\/host\/test\/(?:acceptance|rescue|run|stopping|durability)\./u,
  /faults\/test\/short|(?:claude|codex)\/matrix/u,
  /eight-at-once|migrations|cli-transport\/test\/adopt/u,
  /engine\/test\/conformance|cli-transport\/test\/conformance/u,
];

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      LONG.findIndex((name) => name.test(moduleId)) + 1 || LONG.length + 1;
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** These touch nothing of their process, so that one process may run many files: starting it is most of their time. */
const SHARED = [
  'packages/{envelope,engine,budget,briefing,reporters,acceptance,team-behaviors}/{src,test}/**/*.test.ts',
  '{packages,apps,tooling}/*/src/**/*.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, isolate: false } },
      {
        extends: true,
        test: {
          name: 'own',
          include: ['{packages,apps,tooling}/*/{src,test}/**/*.test.ts'],
          exclude: [...SHARED, '**/node_modules/**'],
        },
      },
    ],
    reporters: ['default', './tooling/checks/src/count-reporter.ts'],
    testTimeout: 60_000,
    // Most of a test is waiting for git and other processes.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
  },
});
