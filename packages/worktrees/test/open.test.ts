import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '../src/index.ts';
import {
  clone,
  codeFrom,
  commit,
  git,
  scratch,
  seenBy,
  situation,
  start,
  write,
} from './scratch.ts';

it('O-21: a repository without commits is refused, and says so', async () => {
  const dir = situation('O-21-unborn-head.sh');
  await expect(openRepository({ dir })).rejects.toMatchObject({
    code: 'NO_COMMITS',
    message: expect.stringContaining('no commits'),
  });
  expect(git(dir, 'for-each-ref')).toBe('');
});

it('O-21: with a commit and a detached HEAD it runs, from where HEAD is', async () => {
  const dir = situation('O-21-unborn-head.sh');
  const head = commit(dir, { a: '1' });
  git(dir, 'checkout', '-q', '--detach');
  const { repository, run } = await start(dir);
  expect(repository.branch).toBeUndefined();
  expect(await run.tip()).toBe(head);
});

it('O-21: with a space and an umlaut in its path it runs', async () => {
  const dir = clone(join(scratch(), 'ein Ordner für Übung'));
  const { run } = await start(dir, { root: join(scratch(), 'läuft hier') });
  const worktree = await run.carve({ taskId: 'T-1', attempt: 1 });
  write(worktree.path, { 'neu für.txt': 'x' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed).toEqual([{ path: 'neu für.txt', status: 'added' }]);
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
});

it('opens from a folder below the top and from a linked worktree, as the same clone', async () => {
  const dir = clone(scratch(), { 'sub/f': 'x' });
  git(dir, 'worktree', 'add', '-q', '-b', 'side', '../side');
  const top = await openRepository({ dir });
  const below = await openRepository({ dir: join(dir, 'sub') });
  const side = await openRepository({ dir: join(dir, '../side') });
  expect(below.topLevel).toBe(dir);
  expect(side).toMatchObject({ topLevel: join(dir, '../side'), branch: 'side' });
  expect(new Set([top.commonDir, below.commonDir, side.commonDir]).size).toBe(1);
  expect(new Set([top.id, below.id, side.id]).size).toBe(1);
  expect(top.stateDir).toBe(join(dir, '.git/atelier'));
  expect(top.id).toMatch(/^repo-[0-9a-f]{12}$/);
});

it('leaves a dirty clone as it is', async () => {
  const dir = clone();
  write(dir, { 'f.txt': 'edited', 'new.txt': 'untracked', 'staged.txt': 's' });
  git(dir, 'add', 'staged.txt');
  const before = seenBy(dir);
  const { run } = await start(dir);
  await run.carve({ taskId: 1, attempt: 1 });
  expect(seenBy(dir)).toBe(before);
});

it('refuses what is no clone: a plain folder, a missing one, a git dir, a bare repository', async () => {
  const folder = scratch();
  const dir = clone(folder);
  git(folder, 'init', '-q', '--bare', 'bare.git');
  for (const [where, code] of [
    [scratch(), 'NOT_A_REPOSITORY'],
    [join(folder, 'nowhere'), 'NOT_A_REPOSITORY'],
    [join(dir, '.git'), 'NOT_A_REPOSITORY'],
    [join(folder, 'bare.git'), 'BARE_REPOSITORY'],
  ] as const)
    expect(await codeFrom(openRepository({ dir: where }))).toBe(code);
});

it('refuses filters of tracked files by name, unless they are allowed', async () => {
  const dir = clone(scratch(), {
    '.gitattributes':
      '*.bin filter=lfs diff=lfs merge=lfs -text\n*.key filter=git-crypt\n*.none filter=unused\n',
    'a.bin': 'pointer',
    'sub/b.key': 'secret',
  });
  await expect(openRepository({ dir })).rejects.toMatchObject({
    code: 'FILTER_IN_USE',
    message: expect.stringMatching(/lfs, git-crypt/),
  });
  expect(await codeFrom(openRepository({ dir, allowFilters: ['lfs'] }))).toBe('FILTER_IN_USE');
  await openRepository({ dir, allowFilters: ['lfs', 'git-crypt'] });
});

it('reads attributes from the commit: what lies in the work tree does not count', async () => {
  const dir = clone();
  write(dir, { '.gitattributes': '* filter=x\n' });
  await openRepository({ dir });
});

it('refuses a filter of info/attributes too', async () => {
  const dir = clone();
  write(dir, { '.git/info/attributes': 'f.txt filter=x\n' });
  expect(await codeFrom(openRepository({ dir }))).toBe('FILTER_IN_USE');
});

it('refuses a partial clone, where a merge could start a fetch', async () => {
  const dir = clone();
  git(dir, 'config', 'remote.origin.promisor', 'true');
  expect(await codeFrom(openRepository({ dir }))).toBe('PARTIAL_CLONE');
});

it.runIf(process.getuid?.() === 0)('opens a clone that belongs to somebody else', async () => {
  const dir = clone();
  chownSync(dir, 12345, 12345);
  chownSync(join(dir, '.git'), 12345, 12345);
  await start(dir);
});

it('does not obey the environment of the caller', async () => {
  const dir = clone();
  const other = clone();
  const saved = { ...process.env };
  Object.assign(process.env, { GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: '/nonexistent/x' });
  try {
    expect((await openRepository({ dir })).topLevel).toBe(dir);
    await start(dir);
  } finally {
    for (const key of ['GIT_DIR', 'GIT_INDEX_FILE']) delete process.env[key];
    Object.assign(process.env, saved);
  }
});

it('names a missing git and an old one', async () => {
  const dir = clone();
  const bin = scratch();
  const { PATH } = process.env;
  try {
    process.env.PATH = bin;
    expect(await codeFrom(openRepository({ dir }))).toBe('GIT_MISSING');
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.37.9\n', { mode: 0o755 });
    expect(await codeFrom(openRepository({ dir }))).toBe('GIT_TOO_OLD');
  } finally {
    process.env.PATH = PATH;
  }
});

it('makes one branch, and goes on with it under the same root', async () => {
  const dir = clone();
  const root = join(scratch(), 'run');
  const { run } = await start(dir, { root });
  expect(git(dir, 'for-each-ref', '--format=%(refname)').split('\n').sort()).toEqual([
    run.branch,
    'refs/heads/main',
  ]);
  commit(dir, { 'f.txt': 'moved on' });
  const again = await start(dir, { root });
  expect(again.run).toMatchObject({ branch: run.branch, base: run.base });
  git(dir, 'branch', '-q', '-D', run.branch.replace('refs/heads/', ''));
  expect(await codeFrom(start(dir, { root }))).toBe('RUN_BRANCH_MISSING');
});

it('refuses a branch with other content, a root in the clone and a root of another run', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const tip = await run.tip();
  commit(dir, { 'f.txt': 'moved on' });
  expect(await codeFrom(start(dir))).toBe('RUN_BRANCH_EXISTS');
  expect(await run.tip()).toBe(tip);
  mkdirSync(join(dir, 'in'));
  expect(await codeFrom(start(dir, { runId: 'r2', root: join(dir, 'in/side') }))).toBe(
    'ROOT_INSIDE_CLONE',
  );
  expect(await codeFrom(start(dir, { runId: 'r2', root: run.root }))).toBe('ROOT_IN_USE');
  expect(existsSync(join(dir, '.git/refs/heads/atelier'))).toBe(true);
});
