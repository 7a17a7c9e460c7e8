import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes half a minute and more, the longest first: begun in this order before all others, so that no worker is left
 * with one at the end. Each has a process of its own, because it starts hundreds of others: that takes a process the
 * longer the more it holds in memory. Nothing else hangs on this list.
 */
const LONG = [
  'packages/worktrees/test/never-destroy-on-the-way-out',
  'packages/worktrees/test/never-destroy-on-the-way',
  'apps/host/test/acceptance',
  'apps/host/test/stopping',
  'apps/host/test/durability',
  'tooling/faults/test/short',
  'apps/host/test/claude',
  'apps/host/test/run',
  'apps/host/test/rescue',
  'packages/cli-transport/test/adopt',
  'packages/worktrees/test/eight-at-once',
  'packages/cli-transport/test/adopt-namespace',
  'packages/cli-transport/test/claude/matrix',
  'packages/store-sqlite/test/migrations',
  'packages/engine/test/conformance',
  'apps/host/test/team-run',
  'packages/cli-transport/test/codex/matrix',
  'apps/host/test/plan-from',
  'apps/host/test/budget',
  'apps/host/test/forecast',
  'packages/cli-transport/test/process',
  'packages/cli-transport/test/conformance',
  'packages/worktrees/test/salvage',
  'apps/host/test/meet',
  'apps/host/test/meet-before',
  'packages/cli-transport/test/confined-shell',
  'packages/worktrees/test/transport',
  'packages/worktrees/test/carve',
  'apps/host/test/plan-command',
  'packages/worktrees/test/hostile',
  'packages/worktrees/test/merge-into-checkout',
  'packages/worktrees/test/rescue',
  'packages/acceptance/test/real-repository',
  'packages/worktrees/test/integrate',
  'packages/store-sqlite/test/lock',
  'packages/envelope/test/fuzz',
  'packages/engine/test/plan/scale',
  'packages/engine/src/core/order/precedence',
].map((name) => `${name}.test.ts`);

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.indexOf(relative(import.meta.dirname, moduleId));
      return place < 0 ? LONG.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

const ALL = ['{packages,apps,tooling}/*/{src,test}/**/*.test.ts'];

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'long', include: LONG } },
      // One process runs many of these: to start it and to load the packages is most of their time.
      {
        extends: true,
        test: {
          name: 'short',
          include: ALL,
          exclude: [...LONG, '**/node_modules/**'],
          isolate: false,
        },
      },
    ],
    reporters: ['default', './tooling/checks/src/count-reporter.ts'],
    testTimeout: 120_000,
    // More than there are cores: half of a test is waiting for disks and other processes.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
  },
});
