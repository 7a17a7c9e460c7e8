import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Run } from '../src/index.ts';
import { clone, codeFrom, commit, git, seenBy, start, write } from './scratch.ts';

async function work(run: Run, taskId: string, files: Record<string, string>) {
  const worktree = await run.carve({ taskId, attempt: 1 });
  write(worktree.path, files);
  const saved = await run.salvage(worktree, taskId);
  return { taskId, commit: saved?.commit ?? '' };
}

it('makes a chain of merges that no ref holds, onto the tip or onto any commit', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const [a, b, c] = [
    await work(run, 'a', { a: '1' }),
    await work(run, 'b', { 'f.txt': 'b\n' }),
    await work(run, 'c', { 'f.txt': 'c\n' }),
  ];
  const refs = git(dir, 'for-each-ref');
  const proposal = await run.propose([a, b, c]);
  expect(proposal).toMatchObject({
    onto: run.base,
    merges: [
      { kind: 'merged', taskId: 'a' },
      { kind: 'merged', taskId: 'b', commit: proposal.tip },
      { kind: 'conflict', taskId: 'c', paths: ['f.txt'] },
    ],
  });
  expect(git(dir, 'for-each-ref')).toBe(refs);
  const [first] = proposal.merges;
  const half = first?.kind === 'merged' ? first.commit : '';
  const rest = await run.propose([c, a], half);
  expect(rest).toMatchObject({ onto: half, merges: [{ kind: 'merged' }, first] });
  expect(await run.propose([])).toEqual({ onto: run.base, tip: run.base, merges: [] });
});

it('publishes only from where the branch is, only forward, and not under a checkout', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const a = await work(run, 'a', { a: '1' });
  const b = await work(run, 'b', { b: '1' });
  const one = await run.propose([a]);
  const other = await run.propose([b]);
  expect(await run.publish({ from: one.onto, to: one.tip })).toBe(true);
  expect(await run.tip()).toBe(one.tip);
  expect(await run.publish({ from: other.onto, to: other.tip })).toBe(false);
  expect(await run.publish({ from: one.tip, to: one.tip })).toBe(true);
  expect(await run.publish({ from: run.base, to: run.base })).toBe(false);
  expect(await codeFrom(run.publish({ from: one.tip, to: other.tip }))).toBe('NOT_FORWARD');
  expect(await run.tip()).toBe(one.tip);
  const next = await run.propose([b]);
  git(dir, 'checkout', '-q', run.branch.replace('refs/heads/', ''));
  const before = seenBy(dir);
  expect(await codeFrom(run.publish({ from: next.onto, to: next.tip }))).toBe(
    'RUN_BRANCH_CHECKED_OUT',
  );
  expect(seenBy(dir)).toBe(before);
});

it('brings nothing in twice that an earlier offer has brought in, and takes nothing for merged that is not', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const a = await work(run, 'a', { 'f.txt': 'a\n' });
  const above = ['commit-tree', '-p', a.commit, '-m', 'above', `${a.commit}^{tree}`];
  const top = { taskId: 'top', commit: git(dir, ...above) };
  const { tip, merges } = await run.propose([top, a, top]);
  expect(merges).toEqual(
    ['top', 'a', 'top'].map((taskId) => ({ kind: 'merged', taskId, commit: tip })),
  );
  expect(git(dir, 'rev-list', '--count', '--merges', `${run.base}..${tip}`)).toBe('1');
  const b = await work(run, 'b', { 'f.txt': 'b\n' });
  expect((await run.propose([b, top, a])).merges.map(({ kind }) => kind)).toEqual([
    ...['merged', 'conflict', 'conflict'],
  ]);
  const none = { taskId: 'none', commit: '1'.repeat(40) };
  expect(await codeFrom(run.propose([none]))).toBe('GIT_FAILED');
  expect(await codeFrom(run.conflicts(none.commit))).toBe('GIT_FAILED');
});

it('knows the branch where its ref is packed, and a checkout of it by another name', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const a = await work(run, 'a', { a: '1' });
  git(dir, 'pack-refs', '--all');
  expect(await run.tip()).toBe(run.base);
  const { onto, tip } = await run.propose([a]);
  git(dir, 'symbolic-ref', 'refs/heads/alias', run.branch);
  git(dir, 'checkout', '-q', 'alias');
  expect(await codeFrom(run.publish({ from: onto, to: tip }))).toBe('RUN_BRANCH_CHECKED_OUT');
  git(dir, 'checkout', '-q', 'main');
  git(dir, 'worktree', 'add', '-q', '../linked', run.branch.replace('refs/heads/', ''));
  expect(await codeFrom(run.publish({ from: onto, to: tip }))).toBe('RUN_BRANCH_CHECKED_OUT');
  git(dir, 'worktree', 'remove', '../linked');
  expect(await run.publish({ from: onto, to: tip })).toBe(true);
  expect(await run.tip()).toBe(tip);
});

it('tries a merge with the tip or with a sibling, and writes no file', async () => {
  const { run } = await start(clone());
  const a = await work(run, 'a', { 'f.txt': 'a\n' });
  const b = await work(run, 'b', { 'f.txt': 'b\n' });
  expect(await run.conflicts(a.commit)).toEqual([]);
  expect(await run.conflicts(a.commit, b.commit)).toEqual(['f.txt']);
  await run.integrate([b]);
  expect(await run.conflicts(a.commit)).toEqual(['f.txt']);
});

it('checks any commit out for a command of the host, and removes it with all that is in it', async () => {
  const dir = clone();
  const first = git(dir, 'rev-parse', 'HEAD');
  commit(dir, { 'f.txt': 'two\n' });
  const before = seenBy(dir);
  const { run } = await start(dir);
  const [one, two] = await Promise.all([run.checkout(first), run.checkout('HEAD')]);
  expect(readFileSync(join(one.path, 'f.txt'), 'utf8')).toBe('base\n');
  expect(readFileSync(join(two.path, 'f.txt'), 'utf8')).toBe('two\n');
  expect(one.base).toBe(first);
  expect(git(one.path, 'status', '--porcelain')).toBe('');
  expect(git(one.path, 'branch', '--show-current')).toBe('');
  expect(readdirSync(join(run.root, 'scratch'))).toHaveLength(2);
  write(one.path, { 'build/out': 'x', 'f.txt': 'changed' });
  await one.dispose();
  await one.dispose();
  expect(existsSync(one.path) || existsSync(one.gitDir)).toBe(false);
  write(two.gitDir, { gitdir: join(dir, '../mine/.git\n') });
  expect(await codeFrom(two.dispose())).toBe('NOT_OURS');
  expect(existsSync(two.path)).toBe(true);
  for (const name of ['nonsense', '--force', '1'.repeat(40), git(dir, 'rev-parse', 'HEAD^{tree}')])
    expect(await codeFrom(run.checkout(name)), name).toBe('NO_SUCH_COMMIT');
  expect(readdirSync(join(run.root, 'scratch'))).toHaveLength(1);
  git(dir, 'tag', '-a', 'v1', '-m', 'v1', first);
  const tagged = await run.checkout(git(dir, 'rev-parse', 'v1'));
  expect(tagged.base).toBe(first);
  await tagged.dispose();
  git(dir, 'tag', '-d', 'v1');
  expect(seenBy(dir)).toBe(before);
});

it('a checkout that was left is told by its record, and one of an attempt has none', async () => {
  const { run } = await start(clone());
  await run.carve({ taskId: 'a', attempt: 1 });
  expect(readdirSync(join(run.root, 'scratch'))).toEqual([]);
  const { path, gitDir, base } = await run.checkout(run.base);
  const [folder = ''] = readdirSync(join(run.root, 'scratch'));
  const record = readFileSync(join(run.root, 'scratch', folder, 'scratch.json'), 'utf8');
  expect(JSON.parse(record)).toEqual({ kind: 'scratch', path, gitDir, base, frozen: [] });
});
