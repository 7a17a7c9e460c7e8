import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clone, git, scratch, seenBy, start, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };

const FILES = { 'top.txt': 't\n', 'in/a.txt': 'a\n', 'in/b.txt': 'b\n', 'out/c.txt': 'c\n' };

function sparse(mode = '--cone', pattern = 'in'): string {
  const dir = clone(scratch(), FILES);
  git(dir, 'sparse-checkout', 'set', mode, pattern);
  return dir;
}

it.each([
  ['--cone', 'in'],
  ['--no-cone', '/in/'],
])(
  'a worktree of a sparse checkout (%s) has the same files, and git inside agrees',
  async (mode, pattern) => {
    const dir = sparse(mode, pattern);
    const config = readFileSync(join(dir, '.git/config'), 'utf8');
    const before = seenBy(dir);
    const { run } = await start(dir);
    const { path } = await run.carve(T1);
    const entries = (folder: string) => readdirSync(folder).filter((name) => name !== '.git');
    expect(entries(path)).toEqual(entries(dir));
    expect(existsSync(join(path, 'out'))).toBe(false);
    expect(git(path, 'status', '--porcelain')).toBe('');
    expect(git(path, 'sparse-checkout', 'list')).toBe(git(dir, 'sparse-checkout', 'list'));
    expect(git(path, 'ls-files', '-t', 'out/c.txt')).toBe('S out/c.txt');
    expect(seenBy(dir)).toBe(before);
    expect(readFileSync(join(dir, '.git/config'), 'utf8')).toBe(config);
  },
);

it('what is left out is nobody’s deletion; what a worker makes there is work', async () => {
  const dir = sparse();
  const { run } = await start(dir);
  const quiet = await run.carve(T1);
  expect(await run.salvage(quiet, 'm')).toBeUndefined();
  expect(await run.remove(quiet)).toEqual({ kind: 'removed' });

  const busy = await run.carve({ taskId: 'T-2', attempt: 1 });
  write(busy.path, {
    'in/a.txt': 'edited\n',
    'out/new.txt': 'new\n',
    'out/c.txt': 'made again\n',
    'other/deep/x.txt': 'x\n',
  });
  const saved = await run.salvage(busy, 'm');
  expect(saved?.changed).toEqual([
    { path: 'in/a.txt', status: 'modified' },
    { path: 'other/deep/x.txt', status: 'added' },
    { path: 'out/c.txt', status: 'modified' },
    { path: 'out/new.txt', status: 'added' },
  ]);
  expect(git(dir, 'show', `${saved?.commit}:out/c.txt`)).toBe('made again');
  write(busy.path, { 'out/c.txt': 'and again\n' });
  await expect(run.remove(busy)).rejects.toMatchObject({ code: 'NOT_SALVAGED' });
  await run.salvage(busy, 'm');
  expect(await run.remove(busy)).toEqual({ kind: 'removed' });
});

it('the set is that of the checkout that the run started from', async () => {
  const dir = sparse('--cone', 'out');
  git(dir, 'worktree', 'add', '-q', '--detach', '../side');
  git(join(dir, '../side'), 'sparse-checkout', 'set', '--cone', 'in');
  const { run } = await start(join(dir, '../side'));
  const { path } = await run.carve(T1);
  expect(existsSync(join(path, 'in/a.txt'))).toBe(true);
  expect(existsSync(join(path, 'out'))).toBe(false);
  expect(git(path, 'sparse-checkout', 'list')).toBe('in');
  expect(git(path, 'status', '--porcelain')).toBe('');
});

it('a full checkout beside a sparse one stays full', async () => {
  const dir = sparse();
  git(dir, 'worktree', 'add', '-q', '--detach', '../side');
  git(join(dir, '../side'), 'sparse-checkout', 'disable');
  const { run } = await start(join(dir, '../side'));
  const { path } = await run.carve(T1);
  expect(existsSync(join(path, 'out/c.txt'))).toBe(true);
  expect(git(path, 'status', '--porcelain')).toBe('');
});
