import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { safeName } from '../src/safe-name.ts';
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

const WRAP = 'bwrap';
const T1 = { taskId: 'T-1', attempt: 1 };

it('gives a detached worktree outside the clone, that git inside it understands', async () => {
  const dir = clone(scratch(), { 'f.txt': 'base\n', 'sub/run.sh': '#!/bin/sh\n' });
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  expect(worktree.path).toBe(join(run.root, 'wt', safeName('T-1'), '1'));
  expect(statSync(join(worktree.path, '.git')).isFile()).toBe(true);
  expect(readFileSync(join(worktree.path, 'f.txt'), 'utf8')).toBe('base\n');
  expect(git(worktree.path, 'rev-parse', 'HEAD')).toBe(worktree.base);
  expect(git(worktree.path, 'branch', '--show-current')).toBe('');
  expect(git(worktree.path, 'status', '--porcelain')).toBe('');
  write(worktree.path, { 'f.txt': 'changed\n' });
  expect(git(worktree.path, 'diff', '--stat')).toContain('f.txt');
  expect(git(worktree.path, 'log', '--format=%s')).toBe('base');
});

it('makes a pointer that works read-only inside a sandbox', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const { path, commonDir } = await run.carve(T1);
  write(path, { 'f.txt': 'changed\n' });
  const inside = (...args: string[]) =>
    execFileSync(
      WRAP,
      [
        '--unshare-user',
        '--uid',
        '1000',
        '--ro-bind',
        '/',
        '/',
        '--dev',
        '/dev',
        '--ro-bind',
        commonDir,
        commonDir,
      ]
        .concat(['--bind', path, path, '--ro-bind', join(path, '.git'), join(path, '.git')])
        .concat(['--chdir', path, 'git', '-c', 'safe.directory=*', ...args]),
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
  expect(inside('status', '--porcelain')).toBe(' M f.txt\n');
  expect(inside('diff')).toContain('+changed');
  expect(inside('log', '--format=%s')).toBe('base\n');
  expect(() => inside('commit', '-am', 'x')).toThrow();
});

it('O-19: five at once, twenty times, all of them exist and the config is not written', async () => {
  const dir = clone();
  git(dir, 'config', 'branch.autoSetupMerge', 'always');
  git(dir, 'remote', 'add', 'origin', '../elsewhere');
  git(dir, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  const config = readFileSync(join(dir, '.git/config'), 'utf8');
  const { run } = await start(dir);
  const other = await start(dir, { runId: 'r2' });
  for (let round = 1; round <= 20; round += 1) {
    const made = await Promise.all(
      [0, 1, 2, 3, 4].map((task) =>
        (task % 2 ? other.run : run).carve({ taskId: `T-${task}`, attempt: round }),
      ),
    );
    for (const { path, base } of made) expect(git(path, 'rev-parse', 'HEAD')).toBe(base);
  }
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(101);
  expect(readFileSync(join(dir, '.git/config'), 'utf8')).toBe(config);
  expect(git(dir, 'worktree', 'prune', '-v')).toBe('');
}, 240_000);

it('O-20: a registered leftover and a folder in the way are stepped around and kept', async () => {
  const dir = situation('O-20-leftovers.sh');
  const { run, warnings } = await start(dir);
  const folder = (task: string) => join(run.root, 'wt', safeName(task));
  // The same two leftovers, where this run wants to go.
  git(dir, 'worktree', 'add', '-q', '--detach', join(folder('T-1'), '1'));
  execFileSync('rm', ['-rf', join(folder('T-1'), '1')]);
  mkdirSync(join(folder('T-2'), '1'), { recursive: true });
  writeFileSync(join(folder('T-2'), '1', 'x'), 'junk');
  const before = seenBy(dir);
  const first = await run.carve(T1);
  const second = await run.carve({ taskId: 'T-2', attempt: 1 });
  expect(first.path).toBe(join(folder('T-1'), '1-2'));
  expect(second.path).toBe(join(folder('T-2'), '1-2'));
  expect(readFileSync(join(folder('T-2'), '1', 'x'), 'utf8')).toBe('junk');
  expect(readFileSync(join(dir, '../wt-T-2/x'), 'utf8')).toBe('junk\n');
  expect(git(dir, 'rev-parse', 'wave/T-1')).toBe(run.base);
  expect(git(dir, 'worktree', 'list', '--porcelain')).toContain(join(folder('T-1'), '1\n'));
  expect(warnings.join('\n')).toMatch(/left alone/);
  expect(seenBy(dir)).toBe(before);
  expect(await run.find(T1)).toEqual(first);
});

it('never falls back to another folder: a clone that is gone is an error', async () => {
  const dir = clone();
  const { run } = await start(dir);
  execFileSync('rm', ['-rf', join(dir, '.git')]);
  expect(await codeFrom(run.carve(T1))).toBe('GIT_FAILED');
  expect(existsSync(join(run.root, 'wt'))).toBe(false);
});

it('leaves nothing behind when the files can not be written', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const blob = git(dir, 'rev-parse', 'HEAD:f.txt');
  execFileSync('rm', ['-f', join(dir, '.git/objects', blob.slice(0, 2), blob.slice(2))]);
  expect(await codeFrom(run.carve(T1))).toBe('GIT_FAILED');
  expect(readdirSync(join(run.root, 'wt', safeName('T-1')))).toEqual([]);
  expect(existsSync(join(dir, '.git/worktrees'))).toBe(false);
});

it('O-22: each id has a folder of its own, and the id itself is kept', {
  timeout: 120_000,
}, async () => {
  const dir = clone();
  const { run } = await start(dir, { runId: '../--force x.lock' });
  const { tasks } = JSON.parse(
    readFileSync(join(import.meta.dirname, 'fixtures/O-22-ids.json'), 'utf8'),
  ) as { tasks: { id: string }[] };
  const ids = [...tasks.map(({ id }) => id), 'a/b', 'a_b', 'API', 'Api'];
  for (const taskId of ids) {
    const worktree = await run.carve({ taskId, attempt: 1 });
    expect(worktree.taskId).toBe(taskId);
    expect(worktree.path.startsWith(`${run.root}/wt/`)).toBe(true);
    write(worktree.path, { 'f.txt': `${taskId}\n` });
    const saved = await run.salvage(worktree, taskId);
    expect(saved?.ref).toMatch(/^refs\/atelier\/[a-z0-9-]+\/[a-z0-9-]+\/1$/);
  }
  expect(git(dir, 'for-each-ref', '--format=x', 'refs/atelier').split('\n')).toHaveLength(
    ids.length,
  );
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(ids.length + 1);
});

it('O-28: the second wave sees the first, on the branch that was checked out', async () => {
  const dir = clone();
  git(dir, 'checkout', '-qb', 'feature-x');
  for (const n of [1, 2, 3]) commit(dir, { [`c${n}`]: 'x' });
  const { run } = await start(dir);
  const first = await run.carve(T1);
  expect(first.base).toBe(git(dir, 'rev-parse', 'feature-x'));
  write(first.path, { 'a.txt': '1' });
  const saved = await run.salvage(first, 'T-1');
  await run.integrate([{ taskId: 'T-1', commit: saved?.commit ?? '' }]);
  const second = await run.carve({ taskId: 'T-2', attempt: 1 });
  expect(readFileSync(join(second.path, 'a.txt'), 'utf8')).toBe('1');
  expect(second.base).toBe(await run.tip());
  expect(second.base).not.toBe(first.base);
});

it('works from a clone that is a linked worktree, and two runs go side by side', async () => {
  const main = clone();
  git(main, 'worktree', 'add', '-q', '-b', 'side', '../side');
  const dir = join(main, '../side');
  const base = commit(dir, { 'side.txt': 's' });
  const before = [seenBy(main), seenBy(dir)];
  const one = await start(dir, { runId: 'one' });
  const two = await start(main, { runId: 'two' });
  const [a, b] = await Promise.all([one.run.carve(T1), two.run.carve(T1)]);
  expect(a.base).toBe(base);
  expect(existsSync(join(b.path, 'side.txt'))).toBe(false);
  for (const [{ run }, worktree] of [
    [one, a],
    [two, b],
  ] as const) {
    write(worktree.path, { 'f.txt': run.id });
    const saved = await run.salvage(worktree, 'm');
    await run.integrate([{ taskId: 'T-1', commit: saved?.commit ?? '' }]);
    await run.remove(worktree);
    expect(git(main, 'show', `${run.branch}:f.txt`)).toBe(run.id);
  }
  expect([seenBy(main), seenBy(dir)]).toEqual(before);
});

it('leaves a submodule as it is, and names what a worker puts there', async () => {
  const inner = clone();
  const dir = clone();
  git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner');
  git(dir, 'commit', '-qm', 'submodule');
  // Without its module there is nothing to fill it with.
  rmSync(join(dir, '.git/modules'), { recursive: true });
  const { run } = await start(dir);
  const worktree = await run.carve(T1);
  write(worktree.path, { 'f.txt': 'x\n' });
  const saved = await run.salvage(worktree, 'm');
  expect(saved?.changed).toEqual([{ path: 'f.txt', status: 'modified' }]);
  expect(git(dir, 'ls-tree', saved?.commit ?? '', 'inner')).toBe(
    git(dir, 'ls-tree', 'HEAD', 'inner'),
  );
  write(worktree.path, { 'inner/lost.txt': 'x' });
  expect(await run.salvage(worktree, 'm')).toMatchObject({ nested: ['inner'] });
  expect(await run.remove(worktree)).toMatchObject({ kind: 'kept' });
});
