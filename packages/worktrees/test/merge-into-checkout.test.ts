import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '../src/index.ts';
import { clone, commit, git, scratch, seenBy, write } from './scratch.ts';

const FILES = { 'f.txt': 'base\n', 'g.txt': 'base\n', '.gitignore': '*.ignored\n' };

/** A clone on `main`, and a commit beside it that changes `f.txt` and adds `new.txt` and `n.ignored`. */
function situation(): { dir: string; work: string } {
  const dir = clone(scratch(), FILES);
  git(dir, 'checkout', '-q', '-b', 'work');
  write(dir, { 'f.txt': 'work\n', 'new.txt': 'n\n', 'n.ignored': 'w\n' });
  git(dir, 'add', '-f', 'n.ignored');
  const work = commit(dir, {});
  git(dir, 'checkout', '-q', 'main');
  return { dir, work };
}

const merge = async (dir: string, work: string, more: object = {}) =>
  (await openRepository({ dir })).mergeIntoCheckout({
    commit: work,
    branch: 'main',
    mode: 'ff',
    message: 'Merge the work',
    ...more,
  });

it('moves the branch and its files forward, and keeps edits that are not in the way', async () => {
  const { dir, work } = situation();
  write(dir, { 'g.txt': 'staged\n', 'mine.txt': 'm' });
  git(dir, 'add', 'g.txt');
  write(dir, { 'g.txt': 'staged, then edited\n' });
  const head = git(dir, 'rev-parse', 'HEAD');
  expect(await merge(dir, work, { expected: head })).toEqual({ kind: 'merged', commit: work });
  expect(git(dir, 'rev-parse', 'main')).toBe(work);
  expect(readFileSync(join(dir, 'f.txt'), 'utf8')).toBe('work\n');
  expect(git(dir, 'status', '--porcelain').split('\n')).toEqual(['MM g.txt', '?? mine.txt']);
  expect(git(dir, 'show', ':g.txt')).toBe('staged');
  expect(await merge(dir, work)).toEqual({ kind: 'merged', commit: work });
  expect(await merge(dir, head, { mode: 'no-ff' })).toEqual({ kind: 'merged', commit: work });
});

it('makes a merge of its own when asked, over what the person committed meanwhile', async () => {
  const { dir, work } = situation();
  const mine = commit(dir, { 'g.txt': 'mine\n' });
  const merged = await merge(dir, work, { mode: 'no-ff' });
  expect(merged).toMatchObject({ kind: 'merged' });
  expect(git(dir, 'log', '-1', '--format=%s %P')).toBe(`Merge the work ${mine} ${work}`);
  expect(git(dir, 'status', '--porcelain')).toBe('');
  expect(readFileSync(join(dir, 'g.txt'), 'utf8')).toBe('mine\n');
});

it('makes a merge of its own where it could move forward, too', async () => {
  const { dir, work } = situation();
  await merge(dir, work, { mode: 'no-ff' });
  expect(git(dir, 'log', '-1', '--format=%P').split(' ')).toHaveLength(2);
  expect(git(dir, 'diff', work)).toBe('');
});

it.each<[string, string, (dir: string) => unknown, object]>([
  ['an edited file', 'f.txt', (dir) => write(dir, { 'f.txt': 'edit\n' }), {}],
  [
    'a staged file',
    'f.txt',
    (dir) => {
      write(dir, { 'f.txt': 'edit\n' });
      git(dir, 'add', 'f.txt');
    },
    {},
  ],
  ['an untracked file', 'new.txt', (dir) => write(dir, { 'new.txt': 'mine\n' }), {}],
  ['an ignored file', 'n.ignored', (dir) => write(dir, { 'n.ignored': 'mine\n' }), {}],
  [
    'an edited file before a merge',
    'f.txt',
    (dir) => write(dir, { 'f.txt': 'e\n' }),
    { mode: 'no-ff' },
  ],
  ['another branch', 'side', (dir) => git(dir, 'checkout', '-q', '-b', 'side'), {}],
  ['a detached HEAD', 'detached', (dir) => git(dir, 'checkout', '-q', '--detach'), {}],
  ['a lock', 'index.lock', (dir) => writeFileSync(join(dir, '.git/index.lock'), ''), {}],
  ['commits that the work lacks', 'no-ff|commits', (dir) => commit(dir, { 'g.txt': 'm\n' }), {}],
  ['a conflict', 'f.txt', (dir) => commit(dir, { 'f.txt': 'm\n' }), { mode: 'no-ff' }],
  ['a branch that has moved', 'moved', () => undefined, { expected: '0'.repeat(40) }],
  ['no such commit', 'no commit', () => undefined, { commit: 'f'.repeat(40) }],
  [
    'an unfinished merge',
    'merge',
    (dir) => writeFileSync(join(dir, '.git/MERGE_HEAD'), `${git(dir, 'rev-parse', 'work')}\n`),
    {},
  ],
])('refuses for %s and has touched nothing', async (_name, why, prepare, more) => {
  const { dir, work } = situation();
  prepare(dir);
  const before = [seenBy(dir), git(dir, 'for-each-ref')];
  const hadMerge = existsSync(join(dir, '.git/MERGE_HEAD'));
  expect(await merge(dir, work, more)).toMatchObject({
    kind: 'refused',
    why: expect.stringMatching(why),
  });
  expect([seenBy(dir), git(dir, 'for-each-ref')]).toEqual(before);
  expect(existsSync(join(dir, '.git/MERGE_HEAD'))).toBe(hadMerge);
});

it('runs no hook or program, and no option of the branch counts', async () => {
  const { dir, work } = situation();
  const marks = scratch();
  for (const hook of [
    'post-merge',
    'pre-merge-commit',
    'reference-transaction',
    'post-checkout',
    'post-index-change',
  ]) {
    mkdirSync(join(dir, '.git/hooks'), { recursive: true });
    writeFileSync(join(dir, '.git/hooks', hook), `#!/bin/sh\ntouch ${marks}/${hook}\n`);
    chmodSync(join(dir, '.git/hooks', hook), 0o755);
  }
  const config = {
    'core.fsmonitor': `touch ${marks}/fsmonitor`,
    'commit.gpgSign': 'true',
    'gpg.program': `touch ${marks}/gpg`,
    'merge.verifySignatures': 'true',
    'merge.autoStash': 'true',
    'branch.main.mergeOptions': '--squash -s ours',
    'alias.merge': `!touch ${marks}/alias`,
  };
  write(dir, { 'f.txt': 'edit\n' });
  const edited = seenBy(dir);
  for (const [key, value] of Object.entries(config)) git(dir, 'config', key, value);
  rmSync(join(marks), { recursive: true });
  mkdirSync(marks);
  expect(await merge(dir, work)).toMatchObject({ kind: 'refused' });
  git(dir, 'config', '--unset', 'core.fsmonitor');
  expect(seenBy(dir)).toBe(edited);
  git(dir, '-c', 'core.hooksPath=/dev/null', 'checkout', '-q', 'f.txt');
  git(dir, 'config', 'core.fsmonitor', config['core.fsmonitor']);
  rmSync(join(marks), { recursive: true });
  mkdirSync(marks);
  expect(await merge(dir, work)).toEqual({ kind: 'merged', commit: work });
  expect(existsSync(join(marks, 'post-merge'))).toBe(false);
  git(dir, 'config', '--unset', 'core.fsmonitor');
  expect(git(dir, 'stash', 'list')).toBe('');
  expect(git(dir, 'rev-parse', 'HEAD')).toBe(work);
});

it('does not write files through a filter that the work brings', async () => {
  const dir = clone();
  const mark = join(scratch(), 'MARK');
  git(dir, 'config', 'filter.x.smudge', `sh -c 'touch ${mark}; cat'`);
  git(dir, 'checkout', '-q', '-b', 'work');
  const work = commit(dir, { '.gitattributes': '*.x filter=x\n', 'a.x': '1' });
  git(dir, 'checkout', '-q', 'main');
  expect(await merge(dir, work)).toMatchObject({
    kind: 'refused',
    why: expect.stringContaining('filter'),
  });
  expect(existsSync(mark)).toBe(false);
});

it('merges in the linked worktree that was opened', async () => {
  const { dir, work } = situation();
  git(dir, 'worktree', 'add', '-q', '-b', 'side', '../side', 'main');
  const side = join(dir, '../side');
  const before = seenBy(dir);
  expect(await merge(side, work, { branch: 'side' })).toEqual({ kind: 'merged', commit: work });
  expect(git(side, 'rev-parse', 'HEAD')).toBe(work);
  expect(git(side, 'status', '--porcelain')).toBe('');
  expect(seenBy(dir)).toBe(before);
});

it('leaves a submodule as it is', async () => {
  const inner = clone();
  const dir = clone();
  git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner');
  git(dir, 'commit', '-qm', 'submodule');
  git(dir, 'config', 'submodule.recurse', 'true');
  const old = git(join(dir, 'inner'), 'rev-parse', 'HEAD');
  const moved = commit(join(dir, 'inner'), { 'f.txt': 'moved\n' });
  git(dir, 'checkout', '-q', '-b', 'work');
  const work = commit(dir, {});
  git(dir, 'checkout', '-q', 'main');
  git(join(dir, 'inner'), 'checkout', '-q', old);
  write(dir, { 'inner/f.txt': 'edit\n' });
  expect(await merge(dir, work)).toEqual({ kind: 'merged', commit: work });
  expect(git(dir, 'ls-tree', 'HEAD', 'inner')).toContain(moved);
  expect(git(join(dir, 'inner'), 'rev-parse', 'HEAD')).toBe(old);
  expect(readFileSync(join(dir, 'inner/f.txt'), 'utf8')).toBe('edit\n');
});
