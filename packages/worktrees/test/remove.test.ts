import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clone, codeFrom, commit, git, start, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };

it('removes nothing that was not salvaged', async () => {
  const { run } = await start(clone());
  const worktree = await run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
  expect(existsSync(join(worktree.path, 'work.txt'))).toBe(true);
});

it('removes nothing that changed after its salvage: a file, a deletion, a commit', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  const changes = [
    () => write(worktree.path, { 'late.txt': 'x' }),
    () => rmSync(join(worktree.path, 'f.txt')),
    () => commit(worktree.path, {}, 'late') && undefined,
  ];
  for (const change of changes.slice(0, 2)) {
    await run.salvage(worktree, 'm');
    change();
    expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
  }
  await run.salvage(worktree, 'm');
  git(worktree.path, 'commit', '-q', '--allow-empty', '-m', 'late');
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
  await run.salvage(worktree, 'm');
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
});

it('removes nothing whose ref has gone', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  const saved = await run.salvage(worktree, 'm');
  git(dir, 'update-ref', '-d', saved?.ref ?? '');
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_SALVAGED');
});

it('removes one worktree and no other: not a person’s, not another run’s, not the clone', async () => {
  const dir = clone();
  git(dir, 'worktree', 'add', '-q', '-b', 'mine', '../mine');
  write(join(dir, '../mine'), { 'edit.txt': 'uncommitted' });
  const { run } = await start(dir);
  const other = await start(dir, { runId: 'r2' });
  const worktree = await run.carve(T1);
  const foreign = await other.run.carve(T1);
  await run.salvage(worktree, 'm');
  for (const path of [foreign.path, dir, join(dir, '../mine'), '/'])
    expect(await codeFrom(run.remove({ ...worktree, path }))).toBe('NOT_OURS');
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(3);
  expect(existsSync(join(dir, '../mine/edit.txt'))).toBe(true);
  expect(existsSync(foreign.path)).toBe(true);
});

it('leaves a registration alone that somebody put another path into', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  await run.salvage(worktree, 'm');
  write(worktree.gitDir, { gitdir: join(dir, '../mine/.git\n') });
  expect(await codeFrom(run.remove(worktree))).toBe('NOT_OURS');
  expect(existsSync(worktree.path)).toBe(true);
});

it('takes no file for an entry of the index, whatever its name is', async () => {
  const { run } = await start(clone());
  const worktree = await run.carve(T1);
  const oid = '1'.repeat(40);
  const names = [`160000 ${oid} 0\tf`, `H 100644 ${oid} 0\tf.txt`, '? f.txt', 'f/inside'];
  write(worktree.path, Object.fromEntries(names.map((name) => [name, name])));
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed.map(({ path }) => path).sort()).toEqual(names.toSorted());
  expect(saved).toMatchObject({ nested: [], refused: [] });
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
});
