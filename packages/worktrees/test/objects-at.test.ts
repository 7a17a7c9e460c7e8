import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clone, commit, git, scratch, start } from './scratch.ts';

it('tells a folder and what is in it apart, also where both are asked for', async () => {
  const dir = clone();
  const first = commit(dir, { 'd/f': '1', 'd/e/g': '1', top: '1' });
  const { run } = await start(dir);
  const paths = ['d/e/g', 'd', 'd/f', 'none', 'top', 'd/e'];
  const before = await run.objectsAt(first, paths);
  const entry = (path: string) => git(dir, 'rev-parse', `${first}:${path}`);
  expect([...before].map(([path, { oid }]) => [path, oid])).toEqual(
    ['d/e/g', 'd', 'd/f', 'top', 'd/e'].map((path) => [path, entry(path)]),
  );
  const second = commit(dir, { 'd/other': '2' });
  const after = await run.objectsAt(second, paths);
  expect(after.get('d')).not.toEqual(before.get('d'));
  expect(after.get('d/e')).toEqual(before.get('d/e'));
});

it('tells modes and types as git lists them, also old ones, and takes no name for another', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const blob = git(dir, 'rev-parse', 'HEAD:f.txt');
  const oid = Buffer.from(blob, 'hex');
  const entry = (mode: string, name: Buffer) =>
    Buffer.concat([Buffer.from(`${mode} `), name, Buffer.from([0]), oid]);
  const names = ['exec', 'link', 'module', 'old', 'plain'];
  const modes = ['100755', '120000', '160000', '100664', '100644'];
  const file = join(scratch(), 'tree');
  const stored = names.map((name, at) => entry(modes[at] ?? '', Buffer.from(name)));
  writeFileSync(file, Buffer.concat([...stored, entry('100644', Buffer.from([0xff]))]));
  const tree = git(dir, 'hash-object', '-t', 'tree', '-w', '--literally', file);
  const commit = git(dir, 'commit-tree', '-m', 'm', tree);
  const found = await run.objectsAt(commit, [...names, '\uFFFD']);
  const listed = git(dir, 'ls-tree', commit, '--', ...names).split('\n');
  expect(
    [...found].map(([path, { mode, type, oid: own }]) => `${mode} ${type} ${own}\t${path}`),
  ).toEqual(listed);
});

it('what is no path in a tree is not there', async () => {
  const dir = clone();
  const { run } = await start(dir);
  expect((await run.objectsAt(run.base, ['', '.', '../x', 'f.txt/', 'a\0b', '-z'])).size).toBe(0);
});

it('knows what is in the branch, and takes no other text for a commit', async () => {
  const dir = clone();
  const { run } = await start(dir);
  const later = commit(dir, { late: '1' });
  expect(await run.contains(run.base)).toBe(true);
  expect(await run.contains(later)).toBe(false);
  for (const text of ['f'.repeat(40), 'HEAD', '--help', ''])
    expect(await run.contains(text)).toBe(false);
});
