import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Offer, Run } from '../src/index.ts';
import { clone, codeFrom, git, start } from './scratch.ts';

const ABSENT = '1'.repeat(40);

/** Commits that came onto the run’s branch one after the other, each for a task. */
async function mergeAll(dir: string, run: Run, ids: readonly string[]) {
  const merges: Offer[] = [];
  let from = await run.tip();
  for (const taskId of ids) {
    const to = git(dir, 'commit-tree', '-p', from, '-m', taskId, `${from}^{tree}`);
    await run.publish({ from, to });
    merges.push({ taskId, commit: to });
    from = to;
  }
  return merges;
}

it('a branch that has all merged work is gone on with', async () => {
  const dir = clone();
  const { run } = await start(dir);
  await run.assertMerged([]);
  const merges = await mergeAll(dir, run, ['a', 'b', 'c']);
  await run.assertMerged(merges);
  await run.assertMerged([{ taskId: 'nothing changed', commit: run.base }]);
});

it('a branch that was moved back is refused, with the tasks and the way out', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const merges = await mergeAll(dir, run, ['a', 'b', 'c']);
  git(dir, 'update-ref', run.branch, merges[0]?.commit ?? '');
  await expect(run.assertMerged(merges)).rejects.toMatchObject({
    code: 'MERGED_WORK_MISSING',
    message: `${run.branch} does not have the merged work of tasks b, c`,
    hint: expect.stringContaining(`git reflog ${run.branch}`),
  });
});

it('commits that the disk has lost, and texts that name none, count as missing; the rest does not', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const [a, b] = await mergeAll(dir, run, ['a', 'b']);
  if (!a || !b) throw new Error('not merged');
  for (const commit of [ABSENT, '', '--all', 'HEAD', `${a.commit}^{tree}`])
    await expect(run.assertMerged([a, { taskId: 'lost', commit }, b])).rejects.toMatchObject({
      message: `${run.branch} does not have the merged work of task lost`,
    });
});

it('where the disk has lost the commit that the branch is at, all of it is missing', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const merges = await mergeAll(dir, run, ['a', 'b']);
  const tip = await run.tip();
  rmSync(join(dir, '.git/objects', tip.slice(0, 2), tip.slice(2)));
  await expect(run.assertMerged(merges)).rejects.toThrow('of tasks a, b');
});

it('a branch that is gone is said to be gone', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const merges = await mergeAll(dir, run, ['a']);
  git(dir, 'update-ref', '-d', run.branch);
  expect(await codeFrom(run.assertMerged(merges))).toBe('RUN_BRANCH_MISSING');
});
