import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clone, commit, git, scratch, seenBy, start, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };
const T1_AGAIN = { taskId: 'T-1', attempt: 2, from: 1 };

it('begins with the changes of an earlier attempt, uncommitted, on the tip', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', 'gone.txt': 'x', '.gitignore': 'out/\n' });
  const before = seenBy(dir);
  const { run } = await start(dir);
  const first = await run.carve({ ...T1, produces: ['out/made.txt'] });
  expect(first.seeded).toBe(false);
  write(first.path, { 'f.txt': 'changed\n', 'new/n.txt': 'n\n', 'out/made.txt': 'made\n' });
  rmSync(join(first.path, 'gone.txt'));
  symlinkSync('f.txt', join(first.path, 'link'));
  const saved = await run.salvage(first, 'm');
  // What was merged meanwhile is there, too.
  const other = await run.carve({ taskId: 'T-2', attempt: 1 });
  write(other.path, { 'other.txt': 'o\n' });
  const theirs = await run.salvage(other, 'm');
  await run.integrate([{ taskId: 'T-2', commit: theirs?.commit ?? '' }]);

  const again = await run.carve({ ...T1_AGAIN, produces: ['out/made.txt'] });
  expect(again.seeded).toBe(true);
  expect(again.base).toBe(await run.tip());
  expect(git(again.path, 'rev-parse', 'HEAD')).toBe(again.base);
  expect(readFileSync(join(again.path, 'other.txt'), 'utf8')).toBe('o\n');
  expect(git(again.path, 'status', '--porcelain', '-uall').split('\n')).toEqual([
    'M f.txt',
    ' D gone.txt',
    '?? link',
    '?? new/n.txt',
  ]);
  expect(git(again.path, 'diff')).toContain('+changed');
  expect(readFileSync(join(again.path, 'out/made.txt'), 'utf8')).toBe('made\n');
  // Untouched, its work is the earlier one.
  expect((await run.salvage(again, 'm'))?.changed).toEqual(saved?.changed);
  expect(await run.find(T1_AGAIN)).toEqual(again);
  rmSync(join(again.path, 'new'), { recursive: true });
  write(again.path, { 'f.txt': 'base\n' });
  const better = await run.salvage(again, 'm');
  expect(better?.changed.map(({ path }) => path)).toEqual(['gone.txt', 'link', 'out/made.txt']);
  expect(seenBy(dir)).toBe(before);
});

it('sees a change of the same size in a seeded file right after the carve', async () => {
  const { run } = await start(clone());
  const first = await run.carve(T1);
  writeFileSync(join(first.path, 'f.txt'), 'work\n');
  await run.salvage(first, 'm');
  for (let attempt = 2; attempt <= 6; attempt += 1) {
    const again = await run.carve({ taskId: 'T-1', attempt, from: 1 });
    writeFileSync(join(again.path, 'f.txt'), 'WORK\n');
    const saved = await run.salvage(again, 'm');
    expect(git(run.root, `--git-dir=${again.commonDir}`, 'show', `${saved?.commit}:f.txt`)).toBe(
      'WORK',
    );
  }
});

it('begins with the plain tip where the earlier changes conflict, are merged, or never were', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const first = await run.carve(T1);
  write(first.path, { 'f.txt': 'mine\n' });
  const mine = await run.salvage(first, 'm');
  const other = await run.carve({ taskId: 'T-2', attempt: 1 });
  write(other.path, { 'f.txt': 'theirs\n' });
  const theirs = await run.salvage(other, 'm');
  await run.integrate([{ taskId: 'T-2', commit: theirs?.commit ?? '' }]);

  const again = await run.carve(T1_AGAIN);
  expect(again.seeded).toBe(false);
  expect(readFileSync(join(again.path, 'f.txt'), 'utf8')).toBe('theirs\n');
  expect(git(again.path, 'status', '--porcelain')).toBe('');
  expect(mine?.commit).toBeDefined();
  expect(await run.salvage(again, 'm')).toBeUndefined();
  for (const request of [
    { taskId: 'T-2', attempt: 2, from: 1 },
    { taskId: 'T-3', attempt: 2, from: 1 },
    { taskId: 'T-1', attempt: 9, from: 8 },
  ])
    expect((await run.carve(request)).seeded).toBe(false);
});

it('takes the worker’s own commits for changes, not for history', async () => {
  const { run } = await start(clone());
  const first = await run.carve(T1);
  commit(first.path, { 'own.txt': '1' });
  await run.salvage(first, 'm');
  const again = await run.carve(T1_AGAIN);
  expect(git(again.path, 'status', '--porcelain')).toBe('?? own.txt');
  expect(git(again.path, 'log', '--format=%s')).toBe('base');
});

it('a set-up that rejects leaves no worktree, and one that works sees the files', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': 'made-by-set-up\n' });
  const root = join(scratch(), 'run');
  const { repository } = await start(dir, { root });
  let fails = true;
  let leaves = {};
  const seen: string[] = [];
  const run = await repository.startRun({
    runId: 'r1',
    root,
    setUp: async ({ path }) => {
      seen.push(readFileSync(join(path, 'f.txt'), 'utf8'));
      if (fails) throw new Error('no network');
      write(path, { 'made-by-set-up': 'x', ...leaves });
    },
  });
  const failed = { code: 'SETUP_FAILED', message: 'no network', hint: expect.any(String) };
  await expect(run.carve(T1)).rejects.toMatchObject(failed);
  await expect(run.checkout(run.base)).rejects.toMatchObject(failed);
  expect(await run.find(T1)).toBeUndefined();
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
  fails = false;
  for (const files of [{ 'f.txt': 'other\n' }, { 'left.txt': 'x' }]) {
    leaves = files;
    const changing = {
      code: 'SETUP_CHANGES_FILES',
      message: expect.stringContaining(Object.keys(files)[0] ?? ''),
    };
    await expect(run.carve(T1)).rejects.toMatchObject(changing);
    await expect(run.checkout(run.base)).rejects.toMatchObject(changing);
  }
  leaves = {};
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
  seen.splice(0);
  const { path } = await run.carve(T1);
  expect(existsSync(join(path, 'made-by-set-up'))).toBe(true);
  expect(seen).toEqual(['base\n']);
  await expect(run.carve({ taskId: 'b', attempt: 1 }, AbortSignal.abort())).rejects.toThrow();
});

it('a set-up that moves what is linked from the clone is refused, and leaves no worktree', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': 'lib\n' });
  write(dir, { 'lib/a.txt': 'of the clone' });
  const { repository } = await start(dir);
  const run = await repository.startRun({
    runId: 'moves',
    root: join(scratch(), 'run'),
    equipment: { link: ['lib'] },
    setUp: async ({ path, frozen }) => {
      expect(frozen).toEqual([join(path, 'lib')]);
      renameSync(join(path, 'lib'), join(path, 'away'));
      write(path, { 'lib/a.txt': 'another' });
    },
  });
  const moved = { code: 'FROZEN_MOVED', message: expect.stringContaining('lib') };
  await expect(run.carve(T1)).rejects.toMatchObject(moved);
  await expect(run.checkout(run.base)).rejects.toMatchObject(moved);
  expect(readFileSync(join(dir, 'lib/a.txt'), 'utf8')).toBe('of the clone');
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
});
