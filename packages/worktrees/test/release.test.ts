import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { safeName } from '../src/safe-name.ts';
import { clone, codeFrom, commit, git, scratch, start, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };
const REF = `refs/atelier/r1/${safeName('T-1')}/1`;

it('removes a worktree that is as it was saved, and is asked any number of times', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  expect(await run.unchanged(T1)).toBe(false);
  const saved = await run.salvage(worktree, 'm');
  expect(await run.unchanged(T1)).toBe(true);
  const released = await Promise.all([run.release(T1)]);
  expect(released).toEqual([{ kind: 'removed' }]);
  expect(await run.release(T1)).toBeUndefined();
  expect(await run.release({ taskId: 'unknown', attempt: 3 })).toBeUndefined();
  expect(await run.unchanged(T1)).toBe(false);
  expect(existsSync(worktree.path)).toBe(false);
  expect(git(dir, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/atelier')).toBe(
    `${REF} ${saved?.commit}`,
  );
});

it('keeps what came after the work on a second ref, by a later host too', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': 'out/\n' });
  const first = await start(dir);
  const worktree = await first.run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  const saved = await first.run.salvage(worktree, 'm');
  write(worktree.path, { 'work.txt': 'built\n', 'dropping.txt': 'd', 'out/ignored': 'i' });
  rmSync(join(worktree.path, 'f.txt'));
  expect(await first.run.unchanged(T1)).toBe(false);
  const { run } = await start(dir, { root: first.run.root });
  expect(await run.release(T1)).toEqual({ kind: 'removed' });
  expect(existsSync(worktree.path)).toBe(false);
  expect(git(dir, 'rev-parse', REF)).toBe(saved?.commit);
  expect(git(dir, 'rev-parse', `${REF}-after^`)).toBe(saved?.commit);
  expect(git(dir, 'diff', '--name-status', REF, `${REF}-after`).split('\n')).toEqual([
    'A\tdropping.txt',
    'D\tf.txt',
    'M\twork.txt',
  ]);
  expect((await run.changeSet(T1))?.changes.map(({ path }) => path)).toEqual(['work.txt']);
});

it('keeps what came after work that was nothing, and a commit that came after', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  await run.salvage(worktree, 'm');
  const late = commit(worktree.path, { 'late.txt': 'x' });
  expect(await run.release(T1)).toEqual({ kind: 'removed' });
  expect(git(dir, 'for-each-ref', '--format=%(refname)', 'refs/atelier')).toBe(`${REF}-after`);
  expect(git(dir, 'rev-parse', `${REF}-after`)).toBe(late);
});

it('makes no second ref for files that were only touched', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  await run.salvage(worktree, 'm');
  rmSync(join(worktree.path, 'work.txt'));
  write(worktree.path, { 'work.txt': 'x' });
  expect(await run.release(T1)).toEqual({ kind: 'removed' });
  expect(git(dir, 'for-each-ref', '--format=%(refname)', 'refs/atelier')).toBe(REF);
});

it('saves work that never was, to its own ref', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'work.txt': 'x' });
  expect(await run.release(T1)).toEqual({ kind: 'removed' });
  expect(git(dir, 'show', `${REF}:work.txt`)).toBe('x');
});

it('removes nothing that can not be kept, nor work whose ref has gone', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  await run.salvage(worktree, 'm');
  git(worktree.path, 'init', '-q', 'late');
  write(worktree.path, { 'late/x': '1' });
  expect(await run.release(T1)).toMatchObject({ kind: 'kept' });
  expect(git(dir, 'show', `${REF}-after:late/x`)).toBe('1');
  const other = await run.carve({ taskId: 'T-2', attempt: 1 });
  write(other.path, { 'work.txt': 'x' });
  const saved = await run.salvage(other, 'm');
  git(dir, 'update-ref', '-d', saved?.ref ?? '');
  expect(await codeFrom(run.release({ taskId: 'T-2', attempt: 1 }))).toBe('NOT_SALVAGED');
  expect(existsSync(join(other.path, 'work.txt'))).toBe(true);
});

it('keeps once more what came after, where the second ref has gone', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  await run.salvage(worktree, 'm');
  git(worktree.path, 'init', '-q', 'late');
  write(worktree.path, { 'late/x': '1' });
  await run.release(T1);
  rmSync(join(worktree.path, 'late/.git'), { recursive: true });
  git(dir, 'update-ref', '-d', `${REF}-after`);
  expect(await run.release(T1)).toEqual({ kind: 'removed' });
  expect(git(dir, 'show', `${REF}-after:late/x`)).toBe('1');
});
