import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clone, commit, git, scratch, start, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };

const allowed = ['-c', 'protocol.file.allow=always'] as const;

const template = mkdtempSync(join(realpathSync(tmpdir()), 'atelier-submodules-'));
beforeAll(() => makeIn(template), 120_000);
afterAll(() => rmSync(template, { recursive: true }));

function withSubmodule(): string {
  const folder = scratch();
  cpSync(template, folder, { recursive: true });
  return join(folder, 'repo');
}

/** Makes a clone with a submodule in `libs/a`, which has one of its own in `inner`. */
function makeIn(folder: string): void {
  const inner = clone(join(folder, 'inner'), { 'deep.txt': 'deep\n' });
  const lib = clone(join(folder, 'lib'), {
    'lib.txt': 'lib\n',
    '.gitattributes': '* filter=trap\n',
  });
  git(lib, ...allowed, 'submodule', 'add', '-q', inner, 'inner');
  git(lib, 'commit', '-qm', 'inner');
  const dir = clone(folder);
  git(dir, ...allowed, 'submodule', 'add', '-q', lib, 'libs/a');
  git(dir, ...allowed, 'submodule', 'update', '-q', '--init', '--recursive');
  git(dir, 'commit', '-qm', 'lib');
}

it('a submodule is there with its files, and one inside it, frozen; the worktree is saved and goes', async () => {
  const dir = withSubmodule();
  const { run, warnings } = await start(dir);
  const worktree = await run.carve(T1);
  const { path } = worktree;
  expect(worktree.frozen).toEqual([join(path, 'libs/a')]);
  expect(readFileSync(join(path, 'libs/a/lib.txt'), 'utf8')).toBe('lib\n');
  expect(readFileSync(join(path, 'libs/a/inner/deep.txt'), 'utf8')).toBe('deep\n');
  expect(existsSync(join(path, 'libs/a/.git'))).toBe(false);
  expect(git(path, 'status', '--porcelain')).toBe('');
  expect(warnings).toEqual([]);
  write(path, { 'work.txt': 'work' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved).toMatchObject({ changed: [{ path: 'work.txt' }], nested: [], refused: [] });
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  const merges = await run.integrate([{ taskId: 'T-1', commit: saved?.commit ?? '' }]);
  expect(merges).toMatchObject([{ kind: 'merged' }]);
  expect(git(dir, 'ls-tree', run.branch, 'libs/a')).toBe(git(dir, 'ls-tree', 'HEAD', 'libs/a'));
  expect(readdirSync(join(dir, 'libs/a')).sort()).toEqual([
    '.git',
    '.gitattributes',
    '.gitmodules',
    'inner',
    'lib.txt',
  ]);
});

it('a submodule is there for an attempt that goes on from one which deleted what names it', async () => {
  const dir = withSubmodule();
  const { run } = await start(dir);
  const first = await run.carve(T1);
  rmSync(join(first.path, '.gitmodules'));
  await run.salvage(first, 'm');
  const { path, seeded } = await run.carve({ ...T1, attempt: 2, from: 1 });
  expect(seeded).toBe(true);
  expect(existsSync(join(path, '.gitmodules'))).toBe(false);
  expect(readFileSync(join(path, 'libs/a/lib.txt'), 'utf8')).toBe('lib\n');
});

it('a submodule is there where the sparse set leaves out what names it', async () => {
  const dir = withSubmodule();
  git(dir, 'sparse-checkout', 'set', '--no-cone', '/*', '!/.gitmodules');
  const { run } = await start(dir);
  const { path } = await run.carve(T1);
  expect(existsSync(join(path, '.gitmodules'))).toBe(false);
  expect(readFileSync(join(path, 'libs/a/lib.txt'), 'utf8')).toBe('lib\n');
});

it('a worker’s edits inside a submodule are not its work', async () => {
  const dir = withSubmodule();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'libs/a/lib.txt': 'edited', 'libs/a/new.txt': 'new' });
  expect(await run.salvage(worktree, 'm')).toBeUndefined();
});

it('one that the clone does not have stays empty, with one warning that names it', async () => {
  const dir = withSubmodule();
  renameSync(join(dir, '.git/modules/libs/a'), join(dir, '../moved'));
  const { run, warnings } = await start(dir);
  const worktree = await run.carve(T1);
  expect(worktree.frozen).toEqual([]);
  expect(readdirSync(join(worktree.path, 'libs/a'))).toEqual([]);
  expect(warnings).toEqual([expect.stringContaining('libs/a')]);
  await run.salvage(worktree, 'm');
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
});

it('one whose commit the clone does not have stays empty', async () => {
  const dir = withSubmodule();
  const unknown = '1'.repeat(40);
  git(dir, 'update-index', '--cacheinfo', `160000,${unknown},libs/a`);
  git(dir, 'commit', '-qm', 'unknown');
  const { run, warnings } = await start(dir);
  const { path, frozen } = await run.carve(T1);
  expect(frozen).toEqual([]);
  expect(readdirSync(join(path, 'libs/a'))).toEqual([]);
  expect(warnings).toHaveLength(1);
});

it.each(['../../hooks', '/etc', '..', 'a/../../../x', 'link'])(
  'a name in .gitmodules that leads out is no place to read from: %s',
  async (name) => {
    const dir = withSubmodule();
    // The objects that it would find there if it went.
    renameSync(join(dir, '.git/modules/libs/a'), join(dir, '.git/hooks-there'));
    rmSync(join(dir, '.git/hooks'), { recursive: true });
    renameSync(join(dir, '.git/hooks-there'), join(dir, '.git/hooks'));
    symlinkSync('../hooks', join(dir, '.git/modules/link'));
    rmSync(join(dir, 'libs/a'), { recursive: true });
    mkdirSync(join(dir, 'libs/a'));
    commit(dir, { '.gitmodules': `[submodule "${name}"]\n\tpath = libs/a\n\turl = x\n` });
    const { run, warnings } = await start(dir);
    const { path } = await run.carve(T1);
    expect(readdirSync(join(path, 'libs/a'))).toEqual([]);
    expect(warnings).toHaveLength(1);
  },
);

it('.gitmodules is data: it includes no other file, and a broken one leaves the folders empty', async () => {
  for (const text of [
    '[include]\n\tpath = ../../elsewhere\n[submodule "libs/a"]\n\tpath = libs/b\n',
    '[submodule "libs/a"\n\tpath = \u0001',
  ]) {
    const dir = withSubmodule();
    write(dir, { '../elsewhere': '[submodule "libs/a"]\n\tpath = libs/a\n' });
    commit(dir, { '.gitmodules': text });
    const { run } = await start(dir);
    const { path } = await run.carve(T1);
    expect(readdirSync(join(path, 'libs/a'))).toEqual([]);
  }
});

it('no filter, hook or monitor of a submodule runs', async () => {
  const marks = scratch();
  const dir = withSubmodule();
  const module = join(dir, '.git/modules/libs/a');
  const mark = (name: string) => `sh -c 'touch ${marks}/${name}; cat'`;
  for (const config of ['config', '../../../config']) {
    const file = join(module, config);
    git(dir, 'config', '--file', file, 'filter.trap.smudge', mark('smudge'));
    git(dir, 'config', '--file', file, 'filter.trap.clean', mark('clean'));
    git(dir, 'config', '--file', file, 'core.fsmonitor', mark('fsmonitor'));
    git(dir, 'config', '--file', file, 'core.hooksPath', 'hooks');
  }
  write(module, { 'hooks/post-checkout': `#!/bin/sh\ntouch ${marks}/hook\n` });
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  expect(readFileSync(join(worktree.path, 'libs/a/lib.txt'), 'utf8')).toBe('lib\n');
  await run.salvage(worktree, 'm');
  await run.remove(worktree);
  expect(readdirSync(marks)).toEqual([]);
});
