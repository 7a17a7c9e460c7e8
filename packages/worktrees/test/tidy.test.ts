import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { clone, git, start, write } from './scratch.ts';

const ATTEMPT = { taskId: 'a', attempt: 1 };
const nobody = () => false;

const registered = (dir: string): string[] =>
  git(dir, 'worktree', 'list', '--porcelain')
    .split('\n')
    .flatMap((line) => /^worktree (.*)$/.exec(line)?.[1] ?? []);

const registrations = (dir: string): string[] => {
  const folder = join(dir, '.git/worktrees');
  return existsSync(folder) ? readdirSync(folder) : [];
};

it('worktrees and checkouts that a killed host left go; what was never saved is saved first', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const saved = await run.carve(ATTEMPT);
  write(saved.path, { 'work.txt': 'x' });
  await run.salvage(saved, 'm');
  const unsaved = await run.carve({ taskId: 'b', attempt: 2 });
  write(unsaved.path, { 'half.txt': 'y' });
  await run.checkout(run.base);
  const later = await start(dir, { root: run.root });
  await later.run.tidy(nobody);
  expect(registered(dir)).toEqual([dir]);
  expect(existsSync(saved.path) || existsSync(unsaved.path)).toBe(false);
  expect(readdirSync(join(run.root, 'scratch'))).toEqual([]);
  const ref = await later.run.savedRef({ taskId: 'b', attempt: 2 });
  expect(git(dir, 'show', `${ref}:half.txt`)).toBe('y');
  expect(later.warnings).toEqual([]);
});

it('one that git had registered and nobody had noted goes', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const path = join(run.root, 'wt/a-x/1');
  mkdirSync(join(run.root, 'wt/a-x'), { recursive: true });
  git(dir, 'worktree', 'add', '--quiet', '--detach', '--no-checkout', '--lock', path);
  await run.tidy(nobody);
  expect(registered(dir)).toEqual([dir]);
  expect(existsSync(path)).toBe(false);
});

it('one that nobody had noted goes also where git gave it the name of one that is noted and has gone', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const earlier = await run.carve({ taskId: 'b', attempt: 1 });
  await run.release({ taskId: 'b', attempt: 1 });
  const path = join(run.root, 'wt/a-x', basename(earlier.gitDir));
  mkdirSync(join(run.root, 'wt/a-x'), { recursive: true });
  git(dir, 'worktree', 'add', '--quiet', '--detach', '--no-checkout', '--lock', path);
  expect(readFileSync(join(earlier.gitDir, 'gitdir'), 'utf8').trim()).toBe(join(path, '.git'));
  await run.tidy(nobody);
  expect(registered(dir)).toEqual([dir]);
  expect(existsSync(path)).toBe(false);
});

it.each([
  ['its folder has gone', ({ path }: Left) => rmSync(path, { recursive: true })],
  [
    'of its registration only the pointer is left',
    ({ path, gitDir }: Left) => {
      rmSync(path, { recursive: true });
      for (const name of readdirSync(gitDir))
        if (name !== 'gitdir') rmSync(join(gitDir, name), { recursive: true });
    },
  ],
  [
    'of its registration an empty folder is left',
    ({ path, gitDir }: Left) => {
      rmSync(path, { recursive: true });
      for (const name of readdirSync(gitDir)) rmSync(join(gitDir, name), { recursive: true });
    },
  ],
])('a removal that was cut short is finished: %s', async (_name, cut) => {
  const dir = clone();
  const { run } = await start(dir);
  const worktree = await run.carve(ATTEMPT);
  await run.salvage(worktree, 'm');
  const scratch = await run.checkout(run.base);
  cut(worktree);
  cut(scratch);
  const later = await start(dir, { root: run.root });
  await later.run.tidy(nobody);
  expect(registrations(dir)).toEqual([]);
  expect(readdirSync(join(run.root, 'scratch'))).toEqual([]);
});

type Left = { readonly path: string; readonly gitDir: string };

const STEPS = ['commondir', 'HEAD', 'its folder', 'its pointer', 'locked', 'gitdir.new'];

it.each(['nothing', ...STEPS])(
  'a registration that a host began and left goes, and its folder is free again: it came as far as %s',
  async (last) => {
    const dir = clone();
    const { run } = await start(dir);
    const { path, gitDir } = await run.carve(ATTEMPT);
    await run.release(ATTEMPT);
    mkdirSync(gitDir, { recursive: true });
    for (const step of STEPS.slice(0, STEPS.indexOf(last) + 1)) {
      if (step === 'its folder') mkdirSync(path);
      else if (step === 'its pointer') writeFileSync(join(path, '.git'), `gitdir: ${gitDir}\n`);
      else writeFileSync(join(gitDir, step), '');
    }
    const theirs = join(dir, '.git/worktrees/theirs');
    mkdirSync(theirs);
    const later = await start(dir, { root: run.root });
    await later.run.tidy(nobody);
    expect(registrations(dir)).toEqual(['theirs']);
    expect((await later.run.carve(ATTEMPT)).path).toBe(path);
    expect(later.warnings).toEqual([]);
  },
);

it('a registration that was a worktree once stays, though it does not say where that is: its HEAD may hold commits', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const { gitDir } = await run.carve(ATTEMPT);
  rmSync(join(gitDir, 'gitdir'));
  await run.tidy(nobody);
  expect(readdirSync(gitDir)).toEqual(expect.arrayContaining(['HEAD', 'index']));
});

it('what is not this run’s stays: a person’s worktree, another run’s, a folder that no record tells of', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const other = await start(dir, { runId: 'other' });
  const theirs = await other.run.carve(ATTEMPT);
  const person = join(dir, '../person');
  git(dir, 'worktree', 'add', '--quiet', '-b', 'mine', person);
  writeFileSync(join(person, 'edit.txt'), 'unsaved');
  mkdirSync(join(run.root, 'wt/strange'), { recursive: true });
  const pointer = join(run.root, 'wt/strange/1');
  write(pointer, { '.git': `gitdir: ${join(dir, '.git/worktrees/gone')}\n` });
  const half = join(dirname(theirs.gitDir), `${basename(theirs.gitDir)}9`);
  mkdirSync(half);
  await run.tidy(nobody);
  expect(existsSync(half)).toBe(true);
  expect(readdirSync(pointer)).toEqual(['.git']);
  expect(existsSync(theirs.path)).toBe(true);
  expect(existsSync(join(person, 'edit.txt'))).toBe(true);
  expect(existsSync(join(run.root, 'wt/strange'))).toBe(true);
  expect(registered(dir)).toHaveLength(3);
  git(dir, 'worktree', 'remove', '--force', person);
});

it('the folder of a worker that could not be ended stays', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const atLarge = await run.carve(ATTEMPT);
  const other = await run.carve({ taskId: 'b', attempt: 1 });
  await run.tidy(({ taskId, attempt }) => taskId === 'a' && attempt === 1);
  expect(existsSync(atLarge.path)).toBe(true);
  expect(existsSync(other.path)).toBe(false);
});

it('what holds more than a commit can stays, and is told', async () => {
  const dir = clone();
  const { run, warnings } = await start(dir);
  const { path } = await run.carve(ATTEMPT);
  mkdirSync(join(path, 'nested'));
  git(join(path, 'nested'), 'init', '--quiet');
  write(join(path, 'nested'), { 'own.txt': 'x' });
  await run.tidy(nobody);
  expect(existsSync(join(path, 'nested/own.txt'))).toBe(true);
  expect(warnings.join()).toContain('was kept');
});

it('a record that can not be read any more: its worktree stays, whatever is in it', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const { path } = await run.carve(ATTEMPT);
  write(path, { 'half.txt': 'y' });
  const [task = ''] = readdirSync(join(run.root, 'attempts'));
  writeFileSync(join(run.root, 'attempts', task, '1/attempt.json'), '');
  await run.tidy(nobody);
  expect(existsSync(join(path, 'half.txt'))).toBe(true);
});

it('the checkout of a reviewer that could not be ended stays, and that of a command goes', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const reviewer = { taskId: 'reviewer', attempt: 2 };
  const atLarge = await run.checkout(run.base, undefined, reviewer);
  const other = await run.checkout(run.base, undefined, { ...reviewer, attempt: 1 });
  const command = await run.checkout(run.base);
  const later = await start(dir, { root: run.root });
  await later.run.tidy(({ taskId, attempt }) => taskId === 'reviewer' && attempt === 2);
  expect([atLarge, other, command].map(({ path }) => existsSync(path))).toEqual([
    true,
    false,
    false,
  ]);
  await later.run.tidy(nobody);
  expect(existsSync(atLarge.path)).toBe(false);
});
