import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '../src/index.ts';
import { clone, commit, git, scratch, write } from './scratch.ts';

const MARKER = '.ai/mode';

it('the index says what is tracked: HEAD does not, and a file on the disk does not', async () => {
  const dir = clone();
  const { tracks } = await openRepository({ dir });
  write(dir, { [MARKER]: 'x' });
  expect(await tracks(MARKER)).toBe(false);
  git(dir, 'add', '.');
  expect(await tracks(MARKER)).toBe(true);
  expect([await tracks('.ai'), await tracks(`${MARKER}s`), await tracks('mode')]).toEqual([
    ...[false, false, false],
  ]);
  commit(dir, {});
  git(dir, 'rm', '--quiet', '--cached', MARKER);
  expect(await tracks(MARKER)).toBe(false);
});

it('a link or a submodule on the way is tracked with all that is behind it', async () => {
  const dir = clone();
  const { tracks, head } = await openRepository({ dir });
  const elsewhere = scratch();
  writeFileSync(join(elsewhere, 'mode'), 'x');
  symlinkSync(elsewhere, join(dir, '.ai'));
  expect(await tracks(MARKER)).toBe(false);
  git(dir, 'add', '.ai');
  expect(await tracks(MARKER)).toBe(true);
  rmSync(join(dir, '.ai'));
  git(dir, 'update-index', '--add', '--cacheinfo', `160000,${head},.ai`);
  mkdirSync(join(dir, '.ai'));
  expect(await tracks(MARKER)).toBe(true);
});

it('a file of another spelling is another file where the file system tells them apart', async () => {
  const dir = clone();
  write(dir, { [MARKER]: 'x' });
  const { tracks } = await openRepository({ dir });
  const blob = git(dir, 'hash-object', '-w', MARKER);
  git(dir, 'update-index', '--add', '--cacheinfo', `100644,${blob},.AI/MODE`);
  expect(await tracks(MARKER)).toBe(false);
  // As where it does not: both names are one file.
  mkdirSync(join(dir, '.AI'));
  linkSync(join(dir, MARKER), join(dir, '.AI/MODE'));
  expect(await tracks(MARKER)).toBe(true);
});

it('each worktree has an index of its own, and the main one can be asked from a linked one', async () => {
  const dir = clone();
  const linked = join(scratch(), 'linked');
  git(dir, 'worktree', 'add', '--quiet', '--detach', linked);
  write(linked, { [MARKER]: 'x' });
  git(linked, 'add', '.');
  const { tracks, mainTopLevel } = await openRepository({ dir: linked });
  expect(mainTopLevel).toBe(dir);
  expect([await tracks(MARKER), await tracks(MARKER, 'main')]).toEqual([true, false]);
  const main = await openRepository({ dir });
  expect([main.mainTopLevel, await main.tracks(MARKER, 'main')]).toEqual([dir, false]);
});
