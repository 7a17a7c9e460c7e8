import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { gitAt } from '../src/git/git.ts';
import { KEEP_LIMITS, keepAsking } from '../src/git/keep-asking.ts';
import { startKept } from '../src/git/kept-git.ts';
import { objectReader } from '../src/git/object-reader.ts';
import { recent } from '../src/git/recent.ts';
import { writtenObjects } from '../src/git/written-objects.ts';
import { type MergedTree, mergeCommits } from '../src/integration/merge-commits.ts';
import { mergeEntries } from '../src/integration/merge-entries.ts';
import { treeWriter } from '../src/integration/write-tree.ts';
import {
  committed,
  type Files,
  generatedMerge,
  type Merge,
  randomFrom,
} from './generated-merges.ts';
import { git, scratch } from './scratch.ts';

function deskIn(dir: string) {
  const place = { gitDir: join(dir, '.git'), workTree: dir };
  const reader = objectReader(place);
  const store = join(dir, '.git/objects');
  const writer = treeWriter({
    kept: keepAsking(place, writtenObjects('tree')),
    folder: scratch(),
    store,
  });
  onTestFinished(() => {
    reader.rest();
    writer.rest();
  });
  return { reader, writeTree: writer.write };
}

/** What git makes of a merge: its tree, or that it is not clean. */
function mergedByGit(dir: string, ours: string, theirs: string): string {
  const { status, stdout } = spawnSync('git', ['merge-tree', '--write-tree', ours, theirs], {
    cwd: dir,
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : `not clean: ${status}`;
}

/** Files with those texts; twelve lines each, so that one which is edited and moved is still found. */
const files = (texts: Readonly<Record<string, string>>): Files =>
  new Map(
    Object.entries(texts).map(([path, text]) => [
      path,
      { mode: '100644', text: text.padEnd(90, ` of ${text}\n`) },
    ]),
  );

async function merged(...merge: Merge) {
  const { dir, commits } = committed([merge]);
  const [names = ['', '', '']] = commits;
  const tree = await mergeEntries(deskIn(dir), names);
  return { tree, byGit: mergedByGit(dir, names[1], names[2]) };
}

it('a merge that git is not asked for is the one that git makes, whatever both sides did', async () => {
  const random = randomFrom(9);
  const { dir, commits } = committed(Array.from({ length: 400 }, () => generatedMerge(random)));
  const desk = deskIn(dir);
  let inProcess = 0;
  for (const merge of commits) {
    const tree = await mergeEntries(desk, merge);
    if (tree === undefined) continue;
    inProcess += 1;
    expect(tree, merge.join(' ')).toBe(mergedByGit(dir, merge[1], merge[2]));
  }
  expect(inProcess).toBeGreaterThan(100);
  expect(commits.length - inProcess).toBeGreaterThan(100);
  expect(git(dir, 'fsck', '--strict', '--no-dangling')).toBe('');
});

const BASE = { a: 'a', b: 'b', 'in/c': 'c', 'in/d': 'd', 'in/deep/e': 'e', 'on/f': 'f' };
const { a, b, 'in/c': c, 'in/d': d, 'in/deep/e': e, 'on/f': f } = BASE;

it.each<[string, Record<string, string>, Record<string, string>]>([
  [
    'a folder was renamed on one side and got a new file on the other',
    { a, b, 'to/c': c, 'to/d': d, 'to/deep/e': e, 'on/f': f },
    { ...BASE, 'in/new': 'new' },
  ],
  [
    'a folder in a folder was renamed on one side and got a new file on the other',
    { a, b, 'in/c': c, 'in/d': d, 'in/to/e': e, 'on/f': f },
    { ...BASE, 'in/deep/new': 'new' },
  ],
  [
    'a file was renamed on one side and edited on the other',
    { b, 'on/a': a, 'in/c': c, 'in/d': d, 'in/deep/e': e, 'on/f': f },
    { ...BASE, a: 'a!' },
  ],
  [
    'both took the same file out of a folder, each to a place of its own',
    { a, b, 'to/c': c, 'in/d': d, 'in/deep/e': e, 'on/f': f },
    { a, b, 'in/d': d, 'in/deep/e': e, 'on/f': f, 'on/c': c },
  ],
  ['both added the same file', { ...BASE, new: 'new' }, { ...BASE, new: 'new' }],
  ['both added different files of one name', { ...BASE, new: '1' }, { ...BASE, new: '2' }],
  ['both edited one file', { ...BASE, 'in/c': '1' }, { ...BASE, 'in/c': '2' }],
  ['one added a file and the other a folder', { ...BASE, n: '1' }, { ...BASE, 'n/n': '2' }],
  [
    'one made a file a folder',
    { b, 'a/a': a, 'in/c': c, 'in/d': d, 'in/deep/e': e, 'on/f': f },
    { ...BASE, b: 'b!' },
  ],
  [
    'one made a folder a file, and the other changed another',
    { a, b, on: f, 'in/c': c, 'in/d': d, 'in/deep/e': e },
    { ...BASE, b: 'b!' },
  ],
  [
    'one removed a file where both have changed something',
    { a, 'in/c': c, 'in/d': d, 'in/deep/e': e, 'on/f': f },
    { ...BASE, a: 'a!' },
  ],
])('git is asked where %s', async (_, ours, theirs) => {
  const sides = [files(ours), files(theirs)] as const;
  expect((await merged(files(BASE), ...sides)).tree).toBeUndefined();
  expect((await merged(files(BASE), sides[1], sides[0])).tree).toBeUndefined();
});

it('git is not asked where one side has renamed what the other has left alone', async () => {
  const { tree, byGit } = await merged(
    files(BASE),
    files({ a, b, 'new/c': c, 'in/d': d, 'in/moved/e': e, 'on/f': f, 'on/new': 'n' }),
    files({ ...BASE, a: 'a!', 'on/other': 'o', 'new/deep/n': 'n' }),
  );
  expect(tree).toBe(byGit);
});

it('a submodule stays as it is; git is asked about one that was changed or added', async () => {
  const withModule = (base: Files, commit: string, path = 'module'): Files =>
    new Map([...base, [path, { mode: '160000', text: commit.repeat(40) }]]);
  const base = withModule(files(BASE), '1');
  const theirs = withModule(files({ ...BASE, a: 'a!' }), '1');
  const { tree, byGit } = await merged(base, withModule(files({ ...BASE, n: 'n' }), '1'), theirs);
  expect(tree).toBe(byGit);
  expect((await merged(base, withModule(files(BASE), '2'), theirs)).tree).toBeUndefined();
  const added = withModule(base, '3', 'another');
  expect((await merged(base, added, theirs)).tree).toBeUndefined();
});

it('git is asked where trees are large', async () => {
  const names = Array.from({ length: 200 }, (_, at) => [`${at}`.padStart(30, '0'), 'x'] as const);
  const many = (count: number) => files({ ...BASE, ...Object.fromEntries(names.slice(0, count)) });
  const edited = (base: Files, path: string): Files =>
    new Map([...base, [path, { mode: '100644', text: 'edited' }]]);
  for (const [count, isAsked] of [
    [100, false],
    [200, true],
  ] as const) {
    const base = many(count);
    const { tree } = await merged(base, edited(base, 'a'), edited(base, 'b'));
    expect(tree === undefined).toBe(isAsked);
  }
});

it('a tree is written again where a person’s gc has taken the pack that a kept git saw it in', async () => {
  const { dir, commits } = committed([
    [files(BASE), files({ ...BASE, a: 'a!' }), files({ ...BASE, b: 'b!' })],
  ]);
  const [[base, ours, theirs] = ['', '', '']] = commits;
  const tree = mergedByGit(dir, ours, theirs);
  for (const one of [ours, theirs]) git(dir, 'update-ref', `refs/heads/${one}`, one);
  git(dir, 'update-ref', 'refs/heads/x', git(dir, 'commit-tree', '-m', 'm', tree));
  git(dir, 'repack', '-a', '-d', '-q');
  const desk = {
    ...{ ...deskIn(dir), merges: recent<MergedTree>(1) },
    objects: gitAt({ gitDir: join(dir, '.git'), workTree: dir }),
  };
  expect(await mergeCommits(desk, ours, theirs, base)).toEqual({ kind: 'clean', tree });
  git(dir, 'update-ref', '-d', 'refs/heads/x');
  git(dir, 'reflog', 'expire', '--all', '--expire=now');
  git(dir, 'repack', '-a', '-d', '-q');
  desk.merges.forget(`${ours} ${theirs}`);
  expect(await mergeCommits(desk, ours, theirs, base)).toEqual({ kind: 'clean', tree });
  expect(git(dir, 'cat-file', '-t', tree)).toBe('tree');
});

it('git is asked where the one that is kept has died, or has written another tree', async () => {
  const { dir, commits } = committed([
    [files(BASE), files({ ...BASE, a: 'a!' }), files({ ...BASE, b: 'b!' })],
  ]);
  const [[base, ours, theirs] = ['', '', '']] = commits;
  const place = { gitDir: join(dir, '.git'), workTree: dir };
  const dead = startKept(place, writtenObjects('tree'), KEEP_LIMITS);
  dead.end();
  const another = git(dir, 'rev-parse', `${ours}^{tree}`);
  const tree = mergedByGit(dir, ours, theirs);
  for (const ask of [dead.ask, async () => another]) {
    const kept = { ask, rest: () => undefined };
    const writer = treeWriter({ kept, folder: scratch(), store: join(dir, '.git/objects') });
    const desk = {
      ...{ ...deskIn(dir), objects: gitAt(place), merges: recent<MergedTree>(1) },
      writeTree: writer.write,
    };
    expect(await mergeCommits(desk, ours, theirs, base)).toEqual({ kind: 'clean', tree });
    writer.rest();
  }
});

it('what is handed to git is gone when the writer rests, and it writes again after that', async () => {
  const { dir, commits } = committed([
    [files(BASE), files({ ...BASE, a: 'a!' }), files({ ...BASE, b: 'b!' })],
  ]);
  const [merge = ['', '', '']] = commits;
  const folder = scratch();
  const place = { gitDir: join(dir, '.git'), workTree: dir };
  const kept = keepAsking(place, writtenObjects('tree'));
  const writer = treeWriter({ kept, folder, store: join(dir, '.git/objects') });
  for (const _ of [1, 2]) {
    const tree = await mergeEntries({ ...deskIn(dir), writeTree: writer.write }, merge);
    expect(tree).toBe(mergedByGit(dir, merge[1], merge[2]));
    expect(readdirSync(folder)).toHaveLength(1);
    writer.rest();
    expect(readdirSync(folder)).toEqual([]);
  }
});
