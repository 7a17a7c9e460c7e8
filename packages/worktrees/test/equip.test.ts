import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Equipment, Run } from '../src/index.ts';
import { openRepository } from '../src/index.ts';
import { clone, codeFrom, commit, git, scratch, seenBy, write } from './scratch.ts';

const T1 = { taskId: 'T-1', attempt: 1 };
const IGNORE = 'node_modules/\n*.log\n.env*\n/data/\n/venv/\n';

async function equipped(
  dir: string,
  equipment: Equipment,
): Promise<{ run: Run; warnings: string[] }> {
  const warnings: string[] = [];
  const repository = await openRepository({ dir });
  const root = join(scratch(), 'run');
  const warn = (line: string) => warnings.push(line);
  return { run: await repository.startRun({ runId: 'r1', root, warn, equipment }), warnings };
}

const ignoring = (files: Readonly<Record<string, string>> = {}) =>
  clone(scratch(), { '.gitignore': IGNORE, 'f.txt': 'base\n', 'packages/a/x.ts': '', ...files });

/** The whole life of an attempt: what equips it is neither work nor in the way. */
async function passesThrough(run: Run, changed: readonly string[] = []): Promise<void> {
  const worktree = await run.carve({ taskId: 'T-2', attempt: 1 });
  const saved = await run.salvage(worktree, 'm');
  expect((saved?.changed ?? []).map(({ path }) => path)).toEqual(changed);
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(existsSync(worktree.path)).toBe(false);
}

it('copies ignored files, modes and links as they are, and leaves the rest', async () => {
  const dir = ignoring();
  write(dir, {
    '.env': 'secret\n',
    '.env.local': 'x',
    'packages/a/.env': 'a',
    'data/deep/run.sh': '#!/bin/sh\n',
    'other.log': 'no',
    'untracked.txt': 'mine',
  });
  chmodSync(join(dir, 'data/deep/run.sh'), 0o751);
  symlinkSync('/etc/hostname', join(dir, 'data/out'));
  const before = seenBy(dir);
  const { run, warnings } = await equipped(dir, { copy: ['.env', 'packages/*/.env', 'data'] });
  const { path, frozen } = await run.carve(T1);
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('secret\n');
  expect(readFileSync(join(path, 'packages/a/.env'), 'utf8')).toBe('a');
  expect(statSync(join(path, 'data/deep/run.sh')).mode & 0o777).toBe(0o751);
  expect(readlinkSync(join(path, 'data/out'))).toBe('/etc/hostname');
  expect(statSync(join(path, '.env')).ino).not.toBe(statSync(join(dir, '.env')).ino);
  for (const absent of ['.env.local', 'other.log', 'untracked.txt'])
    expect(existsSync(join(path, absent))).toBe(false);
  expect(frozen).toEqual([]);
  expect(warnings).toEqual([]);
  expect(git(path, 'status', '--porcelain')).toBe('');
  await passesThrough(run);
  expect(seenBy(dir)).toBe(before);
});

it('never overwrites what the commit has, follows no link of the clone, and takes no git dir', async () => {
  const dir = ignoring();
  write(dir, { 'real/tracked.log': 'committed\n' });
  git(dir, 'add', '-f', 'real/tracked.log');
  git(dir, 'commit', '-qm', 'an ignored file');
  git(dir, 'rm', '-q', '--cached', 'real/tracked.log');
  const outside = scratch();
  write(outside, { 'secret.log': 'outside' });
  symlinkSync(outside, join(dir, 'away'));
  write(dir, { 'real/tracked.log': 'edited', 'data/.git/config': '[core]\n', 'data/x': '1' });
  symlinkSync(outside, join(dir, 'data/way'));
  const { run } = await equipped(dir, { copy: ['**/*.log', 'data'] });
  const { path } = await run.carve(T1);
  expect(readFileSync(join(path, 'real/tracked.log'), 'utf8')).toBe('committed\n');
  expect(existsSync(join(path, 'away'))).toBe(false);
  expect(readdirSync(join(path, 'data'))).toEqual(['way', 'x']);
  expect(lstatSync(join(path, 'data/way')).isSymbolicLink()).toBe(true);
});

it('puts nothing through a link that the commit has in its place', async () => {
  const outside = scratch();
  const dir = ignoring();
  symlinkSync(outside, join(dir, 'cache'));
  git(dir, 'add', '-A');
  git(dir, 'commit', '-qm', 'a link');
  git(dir, 'rm', '-q', 'cache');
  write(dir, { 'cache/deep/x.log': 'x' });
  const { run } = await equipped(dir, { copy: ['cache'], link: ['cache/deep'] });
  const { path } = await run.carve(T1);
  expect(lstatSync(join(path, 'cache')).isSymbolicLink()).toBe(true);
  expect(readdirSync(outside)).toEqual([]);
});

it('skips, with one warning, what git would not ignore in the worktree', async () => {
  const dir = ignoring();
  git(dir, 'config', 'core.excludesFile', join(dir, 'f.txt'));
  write(dir, { 'f.txt': 'base\n' });
  commit(dir, { '.gitignore': 'kept.log\n' }, 'less is ignored');
  write(dir, { '.gitignore': IGNORE, 'a.log': 'x', 'kept.log': 'x', 'node_modules/m/i.js': 'x' });
  const { run, warnings } = await equipped(dir, { copy: ['*.log'], link: ['node_modules'] });
  const { path, frozen } = await run.carve(T1);
  expect(existsSync(join(path, 'kept.log'))).toBe(true);
  expect(existsSync(join(path, 'a.log'))).toBe(false);
  expect(existsSync(join(path, 'node_modules'))).toBe(false);
  expect(existsSync(join(dir, 'node_modules/m/i.js'))).toBe(true);
  expect(frozen).toEqual([]);
  expect(warnings).toEqual([
    'not brought into the worktree, where git does not ignore it: a.log, node_modules',
  ]);
});

it('links whole folders and freezes them; a folder that ignores itself too', async () => {
  const dir = clone(scratch(), { '.gitignore': 'node_modules/\n', 'packages/a/x.ts': '' });
  write(dir, {
    'node_modules/m/index.js': 'module\n',
    'packages/a/node_modules/n/i.js': 'n\n',
    'venv/.gitignore': '*\n',
    'venv/lib/site.py': 'x\n',
  });
  mkdirSync(join(dir, 'node_modules/.bin'));
  symlinkSync('../m/index.js', join(dir, 'node_modules/.bin/m'));
  const { run, warnings } = await equipped(dir, {
    link: ['node_modules', 'packages/*/node_modules', 'venv'],
  });
  const worktree = await run.carve(T1);
  const { path } = worktree;
  expect(worktree.frozen).toEqual(
    ['node_modules', 'packages/a/node_modules', 'venv'].map((name) => join(path, name)),
  );
  expect(statSync(join(path, 'node_modules/m/index.js')).ino).toBe(
    statSync(join(dir, 'node_modules/m/index.js')).ino,
  );
  expect(readlinkSync(join(path, 'node_modules/.bin/m'))).toBe('../m/index.js');
  expect(warnings).toEqual([]);
  expect(git(path, 'status', '--porcelain')).toBe('');
  await run.salvage(worktree, 'm');
  expect(await run.remove(worktree)).toEqual({ kind: 'removed' });
  expect(readFileSync(join(dir, 'node_modules/m/index.js'), 'utf8')).toBe('module\n');
  expect((await run.find(T1))?.frozen).toEqual(worktree.frozen);
});

it('copies what can not be linked once more', async () => {
  const dir = ignoring();
  write(dir, { 'data/full': 'x' });
  // A file that its owner may not read is not shared either: its rights would be.
  chmodSync(join(dir, 'data/full'), 0o000);
  const { run } = await equipped(dir, { link: ['data'] });
  const { path } = await run.carve(T1);
  expect(statSync(join(path, 'data/full')).ino).not.toBe(statSync(join(dir, 'data/full')).ino);
});

it('refuses a pattern that leads out, and too much of anything, by name; no worktree is left', async () => {
  const dir = ignoring();
  write(dir, { 'data/huge': '' });
  truncateSync(join(dir, 'data/huge'), 5 * 2 ** 30);
  for (let at = 0; at <= 100; at += 1) write(dir, { [`many/${at}.log`]: '', 'many/keep': '' });
  for (const [equipment, code, named] of [
    [{ copy: ['../x'] }, 'INVALID_EQUIPMENT', '../x'],
    [{ link: ['.git/hooks'] }, 'INVALID_EQUIPMENT', '.git/hooks'],
    [{ copy: ['data/*'] }, 'EQUIPMENT_TOO_LARGE', 'data/*'],
    [{ link: ['many/*.log'] }, 'EQUIPMENT_TOO_LARGE', 'many/*.log'],
  ] as const) {
    const attempt = { taskId: named, attempt: 1 };
    const repository = await openRepository({ dir });
    const root = join(scratch(), 'run');
    const carving = repository
      .startRun({ runId: `r-${code.toLowerCase().slice(0, 3)}-${named.length}`, root, equipment })
      .then((run) => run.carve(attempt));
    await expect(carving).rejects.toMatchObject({ code, message: expect.stringContaining(named) });
  }
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
  // What is no pattern is told before there is a run.
  expect(git(dir, 'branch', '--list', 'atelier/*', '--format=%(refname)')).not.toContain('r-inv');
  expect(existsSync(join(dir, 'data/huge'))).toBe(true);
});

it('takes names as bytes, odd ones too', async () => {
  const dir = ignoring();
  mkdirSync(join(dir, 'data'));
  const odd = Buffer.concat([Buffer.from(`${dir}/data/`), Buffer.from([0x80, 0x0a, 0x22])]);
  writeFileSync(odd, 'odd');
  write(dir, { 'data/ein Ordner/ü\n.txt': 'x' });
  const { run } = await equipped(dir, { copy: ['data'] });
  const { path } = await run.carve(T1);
  expect(readdirSync(join(path, 'data'), { encoding: 'buffer' })).toEqual(
    readdirSync(join(dir, 'data'), { encoding: 'buffer' }),
  );
  expect(readFileSync(join(path, 'data/ein Ordner/ü\n.txt'), 'utf8')).toBe('x');
});

it('asks nothing of the clone when there is nothing to bring', async () => {
  const dir = ignoring();
  write(dir, { '.env': 'x' });
  const { run } = await equipped(dir, {});
  expect(existsSync(join((await run.carve(T1)).path, '.env'))).toBe(false);
  await passesThrough(run);
});

it('a file that is linked elsewhere already is linked once more, not moved', async () => {
  const dir = ignoring();
  write(dir, { 'data/a': 'x' });
  linkSync(join(dir, 'data/a'), join(dir, 'data/b'));
  const { run } = await equipped(dir, { link: ['data'] });
  const { path } = await run.carve(T1);
  expect(statSync(join(path, 'data/a')).nlink).toBe(4);
  expect(await codeFrom(run.carve({ taskId: 'T-2', attempt: 1 }))).toBe('no error');
});
