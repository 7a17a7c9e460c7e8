import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesIn, DIFFERENCE } from '../src/content/changed-paths.ts';
import { DIFFERENCES } from '../src/content/tree-differences.ts';
import { writeCommit } from '../src/content/write-commit.ts';
import { gitAt } from '../src/git/git.ts';
import { KEEP_LIMITS, keepAsking } from '../src/git/keep-asking.ts';
import { startKept } from '../src/git/kept-git.ts';
import { splitNul } from '../src/git/nul-list.ts';
import { objectReader } from '../src/git/object-reader.ts';
import { refSteps } from '../src/git/ref-steps.ts';
import { writtenObjects } from '../src/git/written-objects.ts';
import { moveRef } from '../src/integration/integration-branch.ts';
import { mergeCommits } from '../src/integration/merge-commits.ts';
import { clone, commit, git, scratch } from './scratch.ts';

const place = (dir: string) => ({ gitDir: join(dir, '.git'), workTree: dir });

const tree = (dir: string, name: string): string => git(dir, 'rev-parse', `${name}^{tree}`);

it('differences are those that a git of its own tells, whatever paths look like', async () => {
  const dir = clone();
  const before = tree(dir, 'HEAD');
  const names = ['end\n', ':100644 x', 'a\nend\n', '1\t1\tq', 'deep/end\n', ' '];
  const after = tree(dir, commit(dir, Object.fromEntries(names.map((name) => [name, name]))));
  const { ask, rest } = keepAsking(place(dir), DIFFERENCES);
  const alone = async (one: string, other: string) =>
    (await gitAt(place(dir))([...DIFFERENCE, '--raw', '--numstat', one, other])).stdout;
  // Asked at once, they are answered one after the other.
  const answers = await Promise.all([
    ask({ before, after }),
    ask({ before: after, after: before }),
    ask({ before, after: before }),
  ]);
  expect(answers).toEqual([
    await alone(before, after),
    await alone(after, before),
    Buffer.from(''),
  ]);
  const [first = Buffer.from('')] = answers;
  expect(changesIn(splitNul(first)).map(({ path }) => path)).toEqual([...names].sort());
  rest();
});

it('a tree that is not there is no answer, and the next question is one again', async () => {
  const dir = clone();
  const before = tree(dir, 'HEAD');
  const { ask, rest } = keepAsking(place(dir), DIFFERENCES);
  await expect(ask({ before, after: '1'.repeat(40) })).rejects.toThrow();
  expect(await ask({ before, after: before })).toEqual(Buffer.from(''));
  rest();
});

it('a commit is the one that git itself would write, and is written also where the kept git died', async () => {
  const dir = clone();
  const parents = [git(dir, 'rev-parse', 'HEAD')];
  const wanted = { tree: tree(dir, 'HEAD'), parents, message: 'one\n\nA: ü\0b' };
  const kept = keepAsking(place(dir), writtenObjects('commit'));
  const dead = startKept(place(dir), writtenObjects('commit'), KEEP_LIMITS);
  dead.end();
  const desk = { objects: gitAt(place(dir)), folder: scratch() };
  for (const asking of [kept, { ask: dead.ask, rest: dead.end }]) {
    const name = await writeCommit({ ...desk, kept: asking }, wanted);
    const [head = '', ...body] = git(dir, 'cat-file', 'commit', name).split('\n\n');
    expect(head.replace(/\d+ \+0000/g, 'NOW').split('\n')).toEqual([
      `tree ${wanted.tree}`,
      `parent ${parents[0]}`,
      'author atelier <atelier@localhost> NOW',
      'committer atelier <atelier@localhost> NOW',
    ]);
    expect(body.join('\n\n')).toBe('one\n\nA: ü b');
    expect(git(dir, 'fsck', '--strict', '--no-dangling', name)).toBe('');
  }
  kept.rest();
});

it('refs move by the kept git only from where they were, and once only where its answer was lost', async () => {
  const dir = clone();
  const [one, other] = [git(dir, 'rev-parse', 'HEAD'), commit(dir, { b: 'b' })];
  const ref = 'refs/atelier/r/t/1';
  const refs = gitAt(place(dir));
  const saving = keepAsking(place(dir), refSteps('why'));
  const step = { from: undefined, to: one, why: 'why' };
  expect(await moveRef({ refs, saving }, ref, step)).toBe(true);
  expect(await moveRef({ refs, saving }, ref, { ...step, from: one, to: other })).toBe(true);
  expect(git(dir, 'rev-parse', ref)).toBe(other);
  expect(await moveRef({ refs, saving }, ref, { ...step, from: one, to: one })).toBe(false);
  expect(git(dir, 'rev-parse', ref)).toBe(other);
  saving.rest();
  // It has done the step, and died before it said so.
  const silent = {
    ask: async (asked: Parameters<typeof saving.ask>[0]) => {
      git(dir, 'update-ref', asked.ref, asked.to, asked.from);
      throw new Error('it has ended');
    },
    rest: () => undefined,
  };
  expect(await moveRef({ refs, saving: silent }, ref, { ...step, from: other, to: one })).toBe(
    true,
  );
  expect(git(dir, 'rev-parse', ref)).toBe(one);
});

it('a commit that is ahead of another is merged into it as git merges it', async () => {
  const dir = clone();
  const base = git(dir, 'rev-parse', 'HEAD');
  const ahead = commit(dir, { 'new.txt': 'new' });
  const further = commit(dir, { 'more.txt': 'more' });
  const reader = objectReader(place(dir));
  const never = async () => {
    throw new Error('nobody is to be asked');
  };
  const merges = { of: never, forget: () => undefined };
  const site = { objects: never, reader, merges, writeTree: never };
  expect(await mergeCommits(site, base, ahead)).toEqual({ kind: 'clean', tree: tree(dir, ahead) });
  expect(git(dir, 'merge-tree', '--write-tree', base, ahead)).toBe(tree(dir, ahead));
  // Of any other two, git is asked.
  await expect(mergeCommits(site, base, further)).rejects.toThrow('nobody');
  await expect(mergeCommits(site, ahead, base)).rejects.toThrow('nobody');
  reader.rest();
});
