import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openRepository } from '../src/index.ts';
import { clone, commit, scratch, start, write } from './scratch.ts';

it('a folder with a link anywhere in it is told from one of plain files', async () => {
  const dir = clone();
  const plain = commit(dir, { 'd/e/f': '1', 'd/g': '1', 'other/f': '1' });
  symlinkSync('../../other/f', join(dir, 'd/e/link'));
  const linked = commit(dir, { 'd/g': '2' });
  const { run } = await start(dir);
  const asked = (of: string, ...folders: readonly string[]) => run.hasLinks(of, folders);
  expect(await asked(plain, 'd', 'other')).toBe(false);
  expect(await asked(linked, 'd')).toBe(true);
  expect(await asked(linked, 'other', 'd/e')).toBe(true);
  expect(await asked(linked, 'other', 'none')).toBe(false);
  expect(await asked(linked)).toBe(false);
});

it('tells which ignored files and folders a worktree gets, and no others', async () => {
  const dir = clone(scratch(), { '.gitignore': '.env*\nnode_modules/\n', 'packages/a/x': '' });
  write(dir, { '.env': '1', '.env.local': '1', 'packages/a/node_modules/m/index.js': '1' });
  const repository = await openRepository({ dir });
  const equipment = { copy: ['.env', 'packages/a/x'], link: ['packages/*/node_modules'] };
  const run = await repository.startRun({ runId: 'r1', root: join(scratch(), 'run'), equipment });
  expect(await run.equipped()).toEqual([
    join(repository.topLevel, '.env'),
    join(repository.topLevel, 'packages/a/node_modules'),
  ]);
  const bare = await repository.startRun({ runId: 'r2', root: join(scratch(), 'run') });
  expect(await bare.equipped()).toEqual([]);
});
