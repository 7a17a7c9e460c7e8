import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesAtHead } from '../src/index.ts';
import { clone, commit, git, scratch, write } from './scratch.ts';

it('lists the files of the commit, whatever folder of the clone is asked from, and nothing else', async () => {
  const dir = clone();
  symlinkSync('f.txt', join(dir, 'link'));
  commit(dir, { 'deep/er/ü b.txt': '1', 'deep/line\nbreak': '1' });
  write(dir, { 'untracked.txt': 'x' });
  const files = ['deep/er/ü b.txt', 'deep/line\nbreak', 'f.txt', 'link'];
  expect([...((await filesAtHead(dir)) ?? [])].sort()).toEqual(files);
  expect([...((await filesAtHead(join(dir, 'deep/er'))) ?? [])].sort()).toEqual(files);
  const linked = join(scratch(), 'linked');
  git(dir, 'worktree', 'add', '-q', '--detach', linked);
  expect((await filesAtHead(linked))?.size).toBe(files.length);
});

it('there is no list outside a clone, of a bare one, and before the first commit', async () => {
  const folder = scratch();
  expect(await filesAtHead(folder)).toBeUndefined();
  expect(await filesAtHead(join(folder, 'missing'))).toBeUndefined();
  git(folder, 'init', '-q', '--bare', 'bare.git');
  expect(await filesAtHead(join(folder, 'bare.git'))).toBeUndefined();
  mkdirSync(join(folder, 'unborn'));
  git(join(folder, 'unborn'), 'init', '-q');
  expect(await filesAtHead(join(folder, 'unborn'))).toBeUndefined();
});
