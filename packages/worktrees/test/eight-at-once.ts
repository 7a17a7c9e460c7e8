import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRepository } from '../src/index.ts';
import { clone, git, seenBy, write } from './scratch.ts';

const TASKS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** Ten rounds for each of the given numbers, all in one repository. */
export function eightAtOnce(tens: readonly number[]): void {
  describe(`eight at once, ${tens.length} times ten rounds in one repository`, () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'atelier-eight-')));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const dir = clone(folder, { 'f.txt': 'base\n', 'shared/list.txt': 'a\n\nb\n\nc\n' });
    const before = seenBy(dir);
    const trees = new Set<string>();

    it.each(tens)(
      'no lock is in the way, and each round gives the same tree (ten number %i)',
      async (ten) => {
        const repository = await openRepository({ dir });
        for (let round = 1; round <= 10; round += 1) {
          const runId = `round-${ten}-${round}`;
          const warnings: string[] = [];
          const warn = (line: string) => void warnings.push(line);
          const run = await repository.startRun({ runId, root: join(folder, runId), warn });
          const make = async (taskId: string) => {
            const worktree = await run.carve({ taskId, attempt: 1 });
            write(worktree.path, { [`${taskId}/made.txt`]: taskId, 'same.txt': 'same\n' });
            const saved = await run.salvage(worktree, taskId);
            return { taskId, commit: saved?.commit ?? '' };
          };
          // The first ten each by itself, as under a schedule without a barrier: they queue for the branch.
          const merges =
            ten === 1
              ? await Promise.all(TASKS.map(async (id) => run.integrate([await make(id)])))
              : [await run.integrate(await Promise.all(TASKS.map(make)))];
          expect(merges.flat().map(({ kind }) => kind)).toEqual(TASKS.map(() => 'merged'));
          // What comes after the merge is the matter of other tests, but for these ten.
          if (ten === 1) {
            const leave = async (taskId: string) =>
              (await run.release({ taskId, attempt: 1 }))?.kind;
            expect(await Promise.all(TASKS.map(leave))).toEqual(TASKS.map(() => 'removed'));
          } else rmSync(join(dir, '.git/worktrees'), { recursive: true });
          expect(warnings).toEqual([]);
          trees.add(git(dir, 'rev-parse', `${run.branch}^{tree}`));
          rmSync(run.root, { recursive: true });
        }
        expect(trees.size).toBe(1);
        expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
        expect(seenBy(dir)).toBe(before);
      },
      300_000,
    );
  });
}
