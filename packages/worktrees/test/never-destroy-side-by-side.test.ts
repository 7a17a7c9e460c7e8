import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Run } from '../src/index.ts';
import { openRepository } from '../src/index.ts';
import { clone, codeFrom, commit, git, scratch, seenBy, start, write } from './scratch.ts';

/** A few tasks at once, through to the merge. */
async function work(run: Run, tasks: readonly string[]): Promise<void> {
  const offers = await Promise.all(
    tasks.map(async (taskId) => {
      const worktree = await run.carve({ taskId, attempt: 1 });
      write(worktree.path, { [`${taskId}.txt`]: `${run.id}\n`, 'deep/x.txt': 'same\n' });
      const saved = await run.salvage(worktree, taskId);
      expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
      return { taskId, commit: saved?.commit ?? '' };
    }),
  );
  const merges = await run.integrate(offers);
  expect(merges.map(({ kind }) => kind)).toEqual(tasks.map(() => 'merged'));
}

it('two runs side by side in one clone do not meet', async () => {
  const dir = clone();
  write(dir, { 'f.txt': 'dirty\n' });
  const before = seenBy(dir);
  const [one, two] = await Promise.all([
    start(dir, { runId: 'one' }),
    start(dir, { runId: 'two' }),
  ]);
  const tasks = ['a', 'b', 'c'];
  await Promise.all([work(one.run, tasks), work(two.run, tasks)]);
  for (const { run, warnings } of [one, two]) {
    expect(git(dir, 'show', `${run.branch}:a.txt`)).toBe(run.id);
    expect(git(dir, 'ls-tree', '-r', '--name-only', run.branch).split('\n')).toEqual([
      ...['a.txt', 'b.txt', 'c.txt', 'deep/x.txt', 'f.txt'],
    ]);
    expect(warnings).toEqual([]);
  }
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
  expect(seenBy(dir)).toBe(before);
}, 120_000);

it('no hook of the clone runs, nor one that a relative core.hooksPath finds in the worktree', async () => {
  const dir = clone();
  const marks = scratch();
  const hooks = [
    'post-checkout',
    'pre-commit',
    'post-merge',
    'reference-transaction',
    'post-index-change',
  ];
  for (const folder of ['.git/hooks', '.husky']) {
    mkdirSync(join(dir, folder), { recursive: true });
    for (const hook of hooks) {
      writeFileSync(join(dir, folder, hook), `#!/bin/sh\ntouch ${marks}/${hook}\nexit 1\n`);
      chmodSync(join(dir, folder, hook), 0o755);
    }
  }
  git(dir, '-c', 'core.hooksPath=/dev/null', 'add', '-A');
  git(dir, '-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'hooks');
  for (const path of ['.husky', join(dir, '.git/hooks')]) {
    git(dir, '-c', 'core.hooksPath=/dev/null', 'config', 'core.hooksPath', path);
    const { run } = await start(dir, { runId: `r${path.length}` });
    await work(run, ['a']);
  }
  expect(readdirSync(marks)).toEqual([]);
}, 120_000);

it('with an LFS-like filter: refused unless it is allowed by name; then the stored form is worked on', async () => {
  const marks = scratch();
  const dir = clone();
  git(dir, 'config', 'filter.lfs.clean', `sh -c 'touch ${marks}/clean; echo pointer'`);
  git(dir, 'config', 'filter.lfs.smudge', `sh -c 'touch ${marks}/smudge; echo content'`);
  git(dir, 'config', 'filter.lfs.required', 'true');
  commit(dir, { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'a.bin': 'x' });
  expect(readdirSync(marks)).toEqual(['clean']);
  expect(await codeFrom(openRepository({ dir }))).toBe('FILTER_IN_USE');
  const repository = await openRepository({ dir, allowFilters: ['lfs'] });
  const run = await repository.startRun({ runId: 'r1', root: join(scratch(), 'run') });
  const worktree = await run.carve({ taskId: 't', attempt: 1 });
  expect(git(worktree.path, 'cat-file', 'blob', 'HEAD:a.bin')).toBe('pointer');
  write(worktree.path, { 'b.bin': 'new\n' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed).toEqual([{ path: 'b.bin', status: 'added' }]);
  expect(git(dir, 'cat-file', 'blob', `${saved?.commit}:b.bin`)).toBe('new');
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(join(marks, 'smudge'))).toBe(false);
}, 120_000);

it('an index that is newer than the saved commit proves nothing: a salvage may have been cut short', async () => {
  const { run } = await start(clone());
  const worktree = await run.carve({ taskId: 't', attempt: 1 });
  write(worktree.path, { 'f.txt': 'first\n' });
  await run.salvage(worktree, 'm');
  write(worktree.path, { 'f.txt': 'second\n' });
  const [task = ''] = readdirSync(join(run.root, 'attempts'));
  const index = join(run.root, 'attempts', task, '1/index-saved');
  git(worktree.path, '-c', `alias.take=!GIT_INDEX_FILE='${index}' git update-index f.txt`, 'take');
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
  expect(await run.unchanged({ taskId: 't', attempt: 1 })).toBe(false);
  expect(existsSync(worktree.path)).toBe(true);
});
