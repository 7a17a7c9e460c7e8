import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { collectWorktrees, listWorktrees } from '../src/index.ts';
import { clone, git, scratch, seenBy, start, write } from './scratch.ts';

const idle = { isInUse: () => false };

async function stage(runId = 'r1', { dir = clone(), home = scratch() } = {}) {
  const { repository, run } = await start(dir, { runId, root: join(home, runId) });
  return { dir, home, run, inventory: { repository, home } };
}

it('lists what runs left, with what became of it', async () => {
  const { run, inventory } = await stage();
  const fresh = await run.carve({ taskId: 'fresh', attempt: 1 });
  const saved = await run.carve({ taskId: 'saved', attempt: 2 });
  write(saved.path, { 'a.txt': 'x'.repeat(1000) });
  await run.salvage(saved, 'm');
  const changed = await run.carve({ taskId: 'changed', attempt: 1 });
  await run.salvage(changed, 'm');
  write(changed.path, { 'late.txt': 'x' });
  const gone = await run.carve({ taskId: 'gone', attempt: 1 });
  rmSync(gone.path, { recursive: true });
  const removed = await run.carve({ taskId: 'removed', attempt: 1 });
  await run.salvage(removed, 'm');
  await run.remove(removed);
  const bench = await run.checkout(run.base);
  const list = await listWorktrees(inventory);
  const by = new Map(list.map((one) => [one.path, one]));
  expect(list).toHaveLength(5);
  expect(by.get(fresh.path)).toMatchObject({ state: 'unsaved', taskId: 'fresh', attempt: 1 });
  expect(by.get(saved.path)).toMatchObject({ state: 'saved', run: 'r1', runId: 'r1', attempt: 2 });
  expect(by.get(saved.path)?.bytes).toBeGreaterThanOrEqual(1000);
  expect(by.get(changed.path)?.state).toBe('changed-since-saved');
  expect(by.get(gone.path)).toMatchObject({ state: 'gone', bytes: 0 });
  expect(by.get(bench.path)).toMatchObject({ kind: 'scratch', state: 'saved' });
  expect(by.get(bench.path)).not.toHaveProperty('taskId');
});

it('changes nothing in what it lists: a worker may be at work', async () => {
  const { run, inventory } = await stage();
  const worktree = await run.carve({ taskId: 't', attempt: 1 });
  await run.salvage(worktree, 'm');
  execFileSync('mkfifo', [join(worktree.path, '.gitignore')]);
  expect(await listWorktrees(inventory)).toMatchObject([{ state: 'changed-since-saved' }]);
  expect(existsSync(join(worktree.path, '.gitignore'))).toBe(true);
});

it('never guesses: no record, no entry', async () => {
  const { dir, home, run, inventory } = await stage();
  mkdirSync(join(home, 'foreign/wt/x/1'), { recursive: true });
  mkdirSync(join(run.root, 'wt/x'), { recursive: true });
  git(dir, 'worktree', 'add', '-q', '--detach', join(run.root, 'wt/x/mine'));
  write(run.root, {
    'attempts/x/1/attempt.json': JSON.stringify({
      path: dir,
      gitDir: join(dir, '.git'),
      frozen: [],
    }),
    'attempts/x/2/attempt.json': '{not json',
    'scratch/s-1/scratch.json': JSON.stringify({
      path: join(dir, '../elsewhere'),
      gitDir: join(dir, '.git/worktrees/mine'),
    }),
  });
  write(run.root, {
    'scratch/s-2/scratch.json': JSON.stringify({
      path: join(run.root, 'wt/x/mine'),
      gitDir: join(dir, '../elsewhere/.git/worktrees/mine'),
    }),
  });
  write(home, { 'broken/run.json': '[]', 'other/run.json': 'null' });
  expect(await listWorktrees(inventory)).toEqual([]);
  expect(await collectWorktrees({ ...inventory, ...idle })).toEqual({ removed: [], kept: [] });
  expect(existsSync(join(run.root, 'wt/x/mine'))).toBe(true);
  expect(await listWorktrees({ ...inventory, home: join(home, 'none') })).toEqual([]);
});

it('saves what is not saved before it removes; the branch of the run may be gone', async () => {
  const { dir, run, inventory } = await stage();
  const never = await run.carve({ taskId: 'never', attempt: 1 });
  write(never.path, { 'never.txt': 'never saved\n' });
  const late = await run.carve({ taskId: 'late', attempt: 1 });
  write(late.path, { 'a.txt': 'saved\n' });
  await run.salvage(late, 'm');
  write(late.path, { 'late.txt': 'late\n' });
  const commits = await run.carve({ taskId: 'commits', attempt: 1 });
  git(commits.path, 'commit', '-q', '--allow-empty', '-m', 'mine');
  const head = git(commits.path, 'rev-parse', 'HEAD');
  rmSync(commits.path, { recursive: true });
  await run.checkout(run.base);
  git(dir, 'branch', '-q', '-D', 'atelier/r1');
  const before = seenBy(dir);
  const { removed, kept } = await collectWorktrees({ ...inventory, ...idle });
  expect(kept).toEqual([]);
  expect(removed).toHaveLength(4);
  expect(await listWorktrees(inventory)).toEqual([]);
  expect(git(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
  const refs = git(dir, 'for-each-ref', '--format=%(refname)', 'refs/atelier').split('\n');
  expect(refs).toHaveLength(4);
  const shows = (name: string, text: string) =>
    expect(refs.map((ref) => tryShow(dir, `${ref}:${name}`))).toContain(text);
  shows('never.txt', 'never saved');
  shows('late.txt', 'late');
  shows('a.txt', 'saved');
  expect(git(dir, 'for-each-ref', '--contains', head)).not.toBe('');
  expect(seenBy(dir)).toBe(before);
});

it('leaves runs alone that are in use, and tells in a dry run without doing', async () => {
  const first = await stage('r1');
  await first.run.carve({ taskId: 't', attempt: 1 });
  const second = await stage('r2', first);
  const worktree = await second.run.carve({ taskId: 't', attempt: 1 });
  const request = { ...first.inventory, isInUse: (runId: string) => runId === 'r1' };
  const dry = await collectWorktrees({ ...request, dryRun: true });
  expect(dry).toMatchObject({
    removed: [{ runId: 'r2' }],
    kept: [{ worktree: { runId: 'r1' }, why: 'its run is in use' }],
  });
  expect(existsSync(worktree.path)).toBe(true);
  expect(await collectWorktrees(request)).toEqual(dry);
  expect(existsSync(worktree.path)).toBe(false);
});

it('with a budget, removes the oldest until the rest is at most that', async () => {
  const { run, inventory } = await stage();
  for (const [at, taskId] of ['new', 'old', 'older'].entries()) {
    const { path } = await run.carve({ taskId, attempt: 1 });
    writeFileSync(join(path, 'big'), 'x'.repeat(10_000));
    const then = new Date(Date.now() - at * 86_400_000);
    for (const name of ['big', 'f.txt', '.git', '.']) utimesSync(join(path, name), then, then);
  }
  const { removed, kept } = await collectWorktrees({ ...inventory, ...idle, maxBytes: 15_000 });
  expect(removed.map(({ taskId }) => taskId)).toEqual(['older', 'old']);
  expect(kept).toMatchObject([
    { worktree: { taskId: 'new' }, why: 'the rest is within the budget' },
  ]);
});

it('keeps, with the reason, what can not be saved or is not ours', async () => {
  const { dir, run, inventory } = await stage();
  const nested = await run.carve({ taskId: 'nested', attempt: 1 });
  git(nested.path, 'init', '-q', 'own');
  git(join(nested.path, 'own'), 'commit', '-q', '--allow-empty', '-m', 'x');
  const taken = await run.carve({ taskId: 'taken', attempt: 1 });
  write(taken.gitDir, { gitdir: join(dir, '../mine/.git\n') });
  const { removed, kept } = await collectWorktrees({ ...inventory, ...idle });
  expect(removed).toEqual([]);
  expect(kept.map(({ why }) => why).sort()).toEqual([
    expect.stringContaining('is not a worktree of this run'),
    expect.stringContaining('own'),
  ]);
  expect(existsSync(join(nested.path, 'own/.git'))).toBe(true);
  expect(existsSync(taken.path)).toBe(true);
});

it('takes no attempt for a scratch worktree because of a mark that was left over', async () => {
  const { run, inventory } = await stage();
  const { path, gitDir, base } = await run.carve({ taskId: 't', attempt: 1 });
  write(path, { 'work.txt': 'work' });
  write(run.root, {
    'scratch/s-9/scratch.json': JSON.stringify({ kind: 'scratch', path, gitDir, base }),
  });
  expect(await listWorktrees(inventory)).toMatchObject([{ kind: 'attempt', state: 'unsaved' }]);
});

const tryShow = (dir: string, what: string): string => {
  try {
    return git(dir, 'show', what);
  } catch {
    return '';
  }
};

it('under a worker that may still live nothing goes, and the rest does', async () => {
  const { run, inventory } = await stage();
  const alive = await run.carve({ taskId: 'a', attempt: 2 });
  const reads = await run.checkout(run.base, undefined, { taskId: 'reviewer', attempt: 1 });
  const gone = await run.carve({ taskId: 'a', attempt: 1 });
  const isAtLarge = (runId: string, { taskId, attempt }: { taskId: string; attempt: number }) =>
    runId === 'r1' && ['a 2', 'reviewer 1'].includes(`${taskId} ${attempt}`);
  const { removed, kept } = await collectWorktrees({ ...inventory, ...idle, isAtLarge });
  expect(removed.map(({ path }) => path)).toEqual([gone.path]);
  expect(kept.map(({ worktree, why }) => [worktree.path, why]).sort()).toEqual(
    [alive.path, reads.path].sort().map((path) => [path, 'its worker may still live']),
  );
  expect([alive, reads, gone].map(({ path }) => existsSync(path))).toEqual([true, true, false]);
});
