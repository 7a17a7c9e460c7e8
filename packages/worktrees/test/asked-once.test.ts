import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { addByHand } from '../src/attempt/add-by-hand.ts';
import { plainReader } from '../src/git/object-reader.ts';
import type { Run } from '../src/index.ts';
import { commandsOf } from './counting-git.ts';
import { clone, git, scratch, start, write } from './scratch.ts';

const attempt = { taskId: 't', attempt: 1 };

async function savedWork(run: Run): Promise<string> {
  const worktree = await run.carve(attempt);
  write(worktree.path, { 'deep/new.txt': 'new\n' });
  // Older than what a file system's clock can tell apart, as work mostly is by then.
  await sleep(50);
  return (await run.salvage(worktree, 'm'))?.commit ?? '';
}

it('one attempt, saved, checked, merged and released, starts each git once', async () => {
  const { run } = await start(clone());
  const commands = await commandsOf(async () => {
    const commit = await savedWork(run);
    await run.changeSet(attempt);
    await run.facts(commit, ['deep/new.txt', 'none']);
    await run.objectsAt(commit, ['deep', 'f.txt']);
    await run.tree(commit);
    await run.conflicts(commit);
    const { onto, tip } = await run.propose([{ ...attempt, commit }]);
    await run.publish({ from: onto, to: tip });
    expect(await run.release(attempt)).toEqual({ kind: 'removed' });
  });
  expect(commands.sort()).toEqual([
    // One for names, one for content.
    ...['cat-file', 'cat-file'],
    ...['diff-tree', 'hash-object'],
    ...['ls-files', 'read-tree', 'rev-list'],
    ...['update-index', 'update-ref', 'update-ref', 'write-tree'],
  ]);
});

it('the git that was kept for a run has ended with it: whoever asks again starts another', async () => {
  const { run } = await start(clone());
  const commands = await commandsOf(async () => {
    for (let times = 1; times <= 2; times += 1) {
      await run.tree(run.base);
      await run.tree(run.base);
      await run.tidy(() => false);
    }
  });
  expect(commands).toEqual(['cat-file', 'cat-file']);
});

it('a merge that was tried is made again where a person’s gc has taken it', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const commit = await savedWork(run);
  write(dir, { 'other.txt': 'other\n' });
  const blob = git(dir, 'hash-object', '-w', 'other.txt');
  const tip = await run.tip();
  expect(await run.conflicts(commit)).toEqual([]);
  // The tree of the merge is that of the work; a merge with more in it is one that no ref holds.
  const side = sideOf(dir, tip, blob);
  expect(await run.conflicts(commit, side)).toEqual([]);
  const before = objectsIn(dir);
  git(dir, 'update-ref', 'refs/heads/side', side);
  git(dir, 'prune', '--expire=now');
  expect(objectsIn(dir).length).toBeLessThan(before.length);
  const { tip: merged } = await run.propose([{ ...attempt, commit }], side);
  expect(git(dir, 'ls-tree', '-r', '--name-only', merged).split('\n')).toEqual([
    ...['deep/new.txt', 'f.txt', 'other.txt'],
  ]);
  expect(git(dir, 'fsck', '--connectivity-only', merged)).toBe('');
});

function sideOf(dir: string, tip: string, blob: string): string {
  const index = join(scratch(), 'index');
  git(dir, 'read-tree', `--index-output=${index}`, tip);
  git(dir, 'update-index', '--add', '--cacheinfo', `100644,${blob},other.txt`);
  const side = git(dir, 'commit-tree', '-p', tip, '-m', 'side', git(dir, 'write-tree'));
  git(dir, 'reset', '-q');
  return side;
}

const objectsIn = (dir: string): string[] =>
  readdirSync(join(dir, '.git/objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^[0-9a-f]{2}\/[0-9a-f]{38}$/.test(name),
  );

it('a worktree is registered as git itself does it, without git', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const commands = await commandsOf(() => run.carve(attempt));
  expect(commands).toEqual(['cat-file', 'read-tree']);
  const theirs = join(scratch(), 't');
  const how = ['--quiet', '--detach', '--no-checkout', '--lock', '--reason', 'atelier run r1'];
  git(dir, 'worktree', 'add', ...how, theirs, run.base);
  const ours = (await run.find(attempt))?.path ?? '';
  const [own, other] = [ours, theirs].map((path) => {
    const gitDir = readFileSync(join(path, '.git'), 'utf8').replace(/^gitdir: (.*)\n$/, '$1');
    const files = ['HEAD', 'commondir', 'gitdir', 'locked'];
    const text = [...files.map((name) => readFileSync(join(gitDir, name), 'utf8'))].join('');
    const pointer = readFileSync(join(path, '.git'), 'utf8');
    return (text + pointer).replaceAll(path, 'PATH').replaceAll(gitDir, 'GITDIR');
  });
  expect(own).toBe(other);
});

it('git registers it where a clone has more than a worktree needs', async () => {
  const more = {
    'config.worktree': '[core]\n\tsparseCheckout = false\n',
    'info/sparse-checkout': '/*\n',
  };
  for (const [name, text] of Object.entries(more)) {
    const dir = clone();
    const { run } = await start(dir);
    write(join(dir, '.git'), { [name]: text });
    expect(await commandsOf(() => run.carve(attempt))).toContain('worktree');
  }
  const dir = clone();
  git(dir, 'config', 'core.sharedRepository', 'group');
  const { run } = await start(dir);
  expect(await commandsOf(() => run.carve(attempt))).toContain('worktree');
});

it('leaves nothing of a registration that can not be finished, and touches nothing that is in the way', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const commonDir = join(dir, '.git');
  const names = plainReader({ gitDir: commonDir, workTree: dir });
  const path = join(scratch(), 'theirs');
  write(path, { 'f.txt': 'theirs\n' });
  const wanted = { path, base: run.base, reason: 'r' };
  const site = { commonDir, names, root: run.root, content: { isShared: false } };
  expect(await addByHand(site, wanted)).toBeUndefined();
  expect(readdirSync(join(commonDir, 'worktrees'))).toEqual([]);
  expect(readdirSync(path)).toEqual(['f.txt']);
  expect(await addByHand(site, { ...wanted, base: 'f'.repeat(40) })).toBeUndefined();
});
