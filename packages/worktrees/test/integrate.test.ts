import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { gitAt } from '../src/git/git.ts';
import type { Run } from '../src/index.ts';
import { moveRef } from '../src/integration/integration-branch.ts';
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

async function work(
  run: Run,
  taskId: string,
  files: Record<string, string>,
): Promise<{ taskId: string; commit: string }> {
  const worktree = await run.carve({ taskId, attempt: 1 });
  write(worktree.path, files);
  const saved = await run.salvage(worktree, taskId);
  return { taskId, commit: saved?.commit ?? '' };
}

it('merges in the given order, each as a merge of two parents, and moves only its branch', async () => {
  const dir = clone();
  write(dir, { 'f.txt': 'a person’s edit' });
  const before = seenBy(dir);
  const { run } = await start(dir);
  const offers = [];
  for (const id of ['b', 'a', 'c']) offers.push(await work(run, id, { [`${id}.txt`]: id }));
  const merges = await run.integrate(offers);
  expect(merges.map(({ kind, taskId }) => `${kind} ${taskId}`)).toEqual([
    'merged b',
    'merged a',
    'merged c',
  ]);
  const log = git(
    dir,
    'log',
    '--first-parent',
    '--reverse',
    '--format=%s|%an|%P',
    run.branch,
  ).split('\n');
  expect(log.slice(1).map((line) => line.split('|')[0])).toEqual([
    'Merge task b',
    'Merge task a',
    'Merge task c',
  ]);
  expect(log.slice(1).map((line) => line.split(' ').at(-1))).toEqual(
    offers.map((offer) => offer.commit),
  );
  expect(git(dir, 'ls-tree', '--name-only', run.branch).split('\n')).toEqual([
    'a.txt',
    'b.txt',
    'c.txt',
    'f.txt',
  ]);
  expect(seenBy(dir)).toBe(before);
});

it('O-23: a conflict is reported with its paths, and the edit of the person, both refs and the rest stay', async () => {
  const dir = situation('O-23-dirty-main.sh');
  const before = seenBy(dir);
  const { run } = await start(dir);
  const one = await work(run, 'T-1', { 'f.txt': 'one\n' });
  const two = await work(run, 'T-2', { 'f.txt': 'two\n', 'odd\nname': 'x' });
  const three = await work(run, 'T-3', { 'g.txt': 'three\n' });
  expect(await run.integrate([one, two, three])).toMatchObject([
    { kind: 'merged', taskId: 'T-1' },
    { kind: 'conflict', taskId: 'T-2', paths: ['f.txt'] },
    { kind: 'merged', taskId: 'T-3' },
  ]);
  expect(git(dir, 'show', `${run.branch}:f.txt`)).toBe('one');
  expect(
    git(dir, 'for-each-ref', '--format=%(objectname)', 'refs/atelier').split('\n').sort(),
  ).toEqual([one, two, three].map((offer) => offer.commit).sort());
  expect(existsSync(join(dir, '.git/MERGE_HEAD'))).toBe(false);
  expect(readFileSync(join(dir, 'f.txt'), 'utf8')).toBe('user edit, not committed\n');
  expect(seenBy(dir)).toBe(before);
});

it('says the same when it is asked again after a crash, and merges nothing twice', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const offers = [await work(run, 'a', { a: '1' }), await work(run, 'b', { b: '1' })];
  const first = await run.integrate(offers.slice(0, 1));
  const all = await run.integrate(offers);
  expect(all[0]).toEqual(first[0]);
  const tip = await run.tip();
  expect(await run.integrate(offers)).toEqual(all);
  expect(await run.tip()).toBe(tip);
});

it('moves a ref only from where it is thought to be', async () => {
  const dir = clone();
  const site = { refs: gitAt({ gitDir: join(dir, '.git'), workTree: dir, cwd: dir }) };
  const base = git(dir, 'rev-parse', 'HEAD');
  const ours = commit(dir, { 'f.txt': 'ours' });
  const theirs = commit(dir, { 'f.txt': 'theirs' });
  const ref = 'refs/heads/x';
  const why = 'test';
  expect(await moveRef(site, ref, { from: undefined, to: base, why })).toBe(true);
  git(dir, 'update-ref', ref, theirs);
  expect(await moveRef(site, ref, { from: base, to: ours, why })).toBe(false);
  expect(await moveRef(site, ref, { from: undefined, to: ours, why })).toBe(false);
  expect(git(dir, 'rev-parse', ref)).toBe(theirs);
  git(dir, 'update-ref', '-d', ref);
  expect(await moveRef(site, ref, { from: theirs, to: ours, why })).toBe(false);
});

it('two hosts on one branch lose nothing to each other', async () => {
  const dir = clone();
  const root = join(scratch(), 'run');
  const hosts = [
    await start(dir, { root }),
    await start(dir, { root }),
    await start(dir, { root }),
  ];
  const offers = await Promise.all(
    hosts.map(({ run }, at) => work(run, `t${at}`, { [`${at}.txt`]: 'x' })),
  );
  await Promise.all(hosts.map(({ run }, at) => run.integrate(offers.slice(at, at + 1))));
  const [host] = hosts;
  for (const offer of offers)
    git(dir, 'merge-base', '--is-ancestor', offer.commit, host?.run.branch ?? '');
});

it('does not move a branch under a checkout', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const offer = await work(run, 'a', { a: '1' });
  git(dir, 'checkout', '-q', run.branch.replace('refs/heads/', ''));
  const before = seenBy(dir);
  expect(await codeFrom(run.integrate([offer]))).toBe('RUN_BRANCH_CHECKED_OUT');
  expect(seenBy(dir)).toBe(before);
  git(dir, 'checkout', '-q', 'main');
  expect(await run.integrate([offer])).toMatchObject([{ kind: 'merged' }]);
});

it('O-25: the lock of a dead git in the clone is not in the way, and not removed', async () => {
  const dir = situation('O-25-stale-index-lock.sh');
  const { run } = await start(dir);
  const offer = await work(run, 'T-1', { 'f.txt': 'done\n' });
  expect(await run.integrate([offer])).toMatchObject([{ kind: 'merged' }]);
  expect(existsSync(join(dir, '.git/index.lock'))).toBe(true);
});

it('O-25: a lock that is in the way is waited for, named, and not removed', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const offer = await work(run, 'T-1', { 'f.txt': 'done\n' });
  const lock = join(dir, '.git', `${run.branch}.lock`);
  writeFileSync(lock, '');
  await expect(run.integrate([offer])).rejects.toMatchObject({
    code: 'GIT_LOCKED',
    message: expect.stringContaining(lock),
  });
  expect(existsSync(lock)).toBe(true);
  const waiting = run.integrate([offer]);
  setTimeout(() => rmSync(lock), 200);
  expect(await waiting).toMatchObject([{ kind: 'merged' }]);
});

it('moves nothing once it was told to stop', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const offer = await work(run, 'a', { a: '1' });
  await expect(run.integrate([offer], AbortSignal.abort())).rejects.toThrow();
  expect(await run.tip()).toBe(run.base);
});

it('the same work gives the same tree each time', async () => {
  const trees = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const dir = clone();
    const { run } = await start(dir);
    const offers = [];
    for (const id of ['a', 'b', 'c'])
      offers.push(await work(run, id, { [`${id}/f`]: id, 'same.txt': 'same' }));
    await run.integrate(offers);
    trees.add(git(dir, 'rev-parse', `${run.branch}^{tree}`));
  }
  expect(trees.size).toBe(1);
});
