import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fileChanges } from '../src/content/change-set.ts';
import { changedPaths } from '../src/content/changed-paths.ts';
import { openContentGit } from '../src/content/content-git.ts';
import { clone, commit, git, scratch, start, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };

it('lists every change with its lines, both sides of a rename and the worker’s own commits included', async () => {
  const dir = clone(scratch(), {
    'f.txt': 'one\ntwo\n',
    'tool.sh': 'x\n',
    'old name.txt': 'same content\nof a file\nthat moves\n',
    'pic.bin': 'a\0b',
  });
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  const { path } = worktree;
  commit(path, { 'own.txt': 'by the worker\n' });
  write(path, { 'f.txt': 'one\n2\nthree\n', 'pic.bin': 'a\0c', 'new folder/ünï "q"\n.txt': 'x\n' });
  chmodSync(join(path, 'tool.sh'), 0o755);
  renameSync(join(path, 'old name.txt'), join(path, 'new name.txt'));
  symlinkSync('f.txt', join(path, 'link'));
  const saved = await run.salvage(worktree, 'm');
  const set = await run.changeSet(T1);
  expect(set).toMatchObject({ base: run.base, commit: saved?.commit, nested: [], refused: [] });
  const byPath = new Map(set?.changes.map((change) => [change.path, change]));
  const change = (name: string) => byPath.get(name);
  expect(change('f.txt')).toMatchObject({ status: 'modified', insertions: 2, deletions: 1 });
  expect(change('own.txt')).toMatchObject({ status: 'added', insertions: 1, deletions: 0 });
  expect(change('tool.sh')).toMatchObject({ status: 'modified', insertions: 0, deletions: 0 });
  expect(change('old name.txt')).toMatchObject({ status: 'deleted', deletions: 3 });
  expect(change('new name.txt')).toMatchObject({ status: 'added', insertions: 3 });
  expect(change('link')).toMatchObject({ status: 'added' });
  expect(change('new folder/ünï "q"\n.txt')).toMatchObject({ status: 'added' });
  expect(change('pic.bin')).toEqual({ path: 'pic.bin', status: 'modified' });
  expect(byPath.size).toBe(8);
});

it('is not there before the first salvage, and empty when nothing changed, for an undone commit too', async () => {
  const { run } = await start(clone());
  const worktree = await run.carve(T1);
  expect(await run.changeSet(T1)).toBeUndefined();
  await run.salvage(worktree, 'm');
  expect(await run.changeSet(T1)).toEqual({
    base: run.base,
    changes: [],
    ignored: [],
    nested: [],
    refused: [],
  });
  commit(worktree.path, { 'f.txt': 'x' });
  git(worktree.path, 'revert', '--no-edit', 'HEAD');
  await run.salvage(worktree, 'm');
  expect(await run.changeSet(T1)).toMatchObject({ changes: [], commit: expect.any(String) });
});

it('lists a submodule that differs, and names a file in the place of one without taking it', async () => {
  const inner = clone();
  const dir = clone();
  const base = git(dir, 'rev-parse', 'HEAD');
  git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner');
  git(dir, 'config', '-f', '.gitmodules', 'submodule.inner.ignore', 'all');
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'submodule');
  rmSync(join(dir, '.git/modules'), { recursive: true });
  const { run } = await start(dir);
  const content = await openContentGit({
    topLevel: dir,
    commonDir: join(dir, '.git'),
    root: scratch(),
  });
  expect(await changedPaths({ content }, base, run.base)).toEqual([
    { path: '.gitmodules', status: 'added' },
    { path: 'inner', status: 'added' },
  ]);
  expect(await fileChanges({ content }, base, run.base)).toEqual([
    { path: '.gitmodules', status: 'added', insertions: 4, deletions: 0 },
    { path: 'inner', status: 'added' },
  ]);
  const worktree = await run.carve(T1);
  rmSync(join(worktree.path, 'inner'), { recursive: true });
  write(worktree.path, { inner: 'a file now\n' });
  await run.salvage(worktree, 'm');
  expect(await run.changeSet(T1)).toMatchObject({ changes: [], nested: ['inner'] });
  expect(await run.release(T1)).toMatchObject({ kind: 'kept' });
});

it('names what is ignored, also where as many files are gone, or in the place of one', async () => {
  const files = { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': '*.log\n' };
  const { run } = await start(clone(scratch(), files));
  const worktree = await run.carve(T1);
  const ignored = async () => {
    await run.salvage(worktree, 'm');
    return (await run.changeSet(T1))?.ignored;
  };
  rmSync(join(worktree.path, 'a.txt'));
  write(worktree.path, { 'x.log': 'l' });
  expect(await ignored()).toEqual(['x.log']);
  rmSync(join(worktree.path, 'b.txt'));
  write(worktree.path, { 'b.txt/c.txt': 'c\n' });
  expect(await ignored()).toEqual(['x.log']);
  const pointer = readFileSync(join(worktree.path, '.git'), 'utf8');
  rmSync(join(worktree.path, '.git'));
  expect(await ignored()).toEqual(['x.log']);
  write(worktree.path, { '.git': pointer });
  rmSync(join(worktree.path, 'x.log'));
  expect(await ignored()).toEqual([]);
});

it('saves a declared product that git ignores, in an ignored folder too, and names what else is ignored', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': 'out/\n*.log\nlone.bin\n' });
  const { run } = await start(dir);
  const produces = ['out/report.txt', './lone.bin', 'out/site/', '/etc', '../x', '', 'none'];
  const worktree = await run.carve({ ...T1, produces });
  write(worktree.path, {
    'out/report.txt': 'r\n',
    'out/junk.txt': 'j\n',
    'out/site/a/b.html': 'b\n',
    'lone.bin': 'x',
    'a.log': 'l',
    'logs/only.log': 'l',
  });
  execFileSync('mkfifo', [join(worktree.path, 'out/site/fifo')]);
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed.map(({ path }) => path)).toEqual([
    'lone.bin',
    'out/report.txt',
    'out/site/a/b.html',
  ]);
  expect((await run.changeSet(T1))?.ignored).toEqual(['a.log', 'logs/', 'out/junk.txt']);
  // A later host knows it, too.
  const later = await start(dir, { root: run.root });
  write(worktree.path, { 'out/report.txt': 'better\n', 'out/site/c.html': 'c\n' });
  expect(await later.run.unchanged(T1)).toBe(false);
  const again = await later.run.salvage(worktree, 'm');
  expect(git(dir, 'show', `${again?.commit}:out/report.txt`)).toBe('better');
  expect(again?.changed).toHaveLength(4);
  rmSync(join(worktree.path, 'out'), { recursive: true });
  expect((await later.run.salvage(worktree, 'm'))?.changed).toHaveLength(1);
  expect(await later.run.remove(worktree)).toEqual({ kind: 'removed' });
});

it('does not look for a product behind a link', async () => {
  const outside = scratch();
  write(outside, { secret: 's' });
  const dir = clone(scratch(), { 'f.txt': 'base\n', '.gitignore': 'out\n' });
  const { run } = await start(dir);
  const worktree = await run.carve({ ...T1, produces: ['out/secret'] });
  symlinkSync(outside, join(worktree.path, 'out'));
  expect(await run.salvage(worktree, 'm')).toBeUndefined();
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(join(outside, 'secret'))).toBe(true);
});

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

it('computes size and hash of what is committed, and leaves out what is no file there', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  const big = Buffer.alloc(3_000_001, 'line\n');
  write(worktree.path, { empty: '', 'a/line\nbreak': 'x', 'a/-n': 'no newline at the end' });
  writeFileSync(join(worktree.path, 'big'), big);
  symlinkSync('f.txt', join(worktree.path, 'link'));
  const { commit: saved = '' } = (await run.salvage(worktree, 'm')) ?? {};
  rmSync(join(worktree.path, 'big'));
  const asked = ['big', 'link', 'empty', 'a/line\nbreak', 'a/-n', 'f.txt', 'f.txt'];
  const notThere = ['a', 'a/', './f.txt', '../f.txt', '', '/f.txt', 'no', 'x\0y', 'y'.repeat(9999)];
  expect(await run.facts(saved, [...asked, ...notThere])).toEqual([
    { path: 'big', sha256: sha256(big), bytes: big.length },
    { path: 'link', sha256: sha256('f.txt'), bytes: 5 },
    { path: 'empty', sha256: sha256(''), bytes: 0 },
    { path: 'a/line\nbreak', sha256: sha256('x'), bytes: 1 },
    { path: 'a/-n', sha256: sha256('no newline at the end'), bytes: 21 },
    { path: 'f.txt', sha256: sha256(readFileSync(join(dir, 'f.txt'))), bytes: 5 },
  ]);
  expect(await run.facts(saved, [])).toEqual([]);
});
