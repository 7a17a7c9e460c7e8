import { expect, it } from 'vitest';
import { clone, commit, git, start } from './scratch.ts';

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
