import { expect, test } from 'vitest';
import { existingPaths } from './existing-paths.ts';

const EXISTING = new Set(['README.md', 'src/a/b.ts', 'Vendor/lib', 'link']);

const asked = (links?: ReadonlySet<string>, fold = (path: string) => path) =>
  existingPaths({ existing: EXISTING, links }, fold);

test('files and the folders that they are in are there', () => {
  const exists = asked(new Set());
  for (const path of ['README.md', 'src', 'src/a', 'src/a/b.ts', 'Vendor'])
    expect([path, exists(path)]).toEqual([path, true]);
  for (const path of ['readme.md', 'src/b', 'sr', 'a/b.ts'])
    expect([path, exists(path)]).toEqual([path, false]);
});

test('below a link or a submodule anything may be, below a plain file nothing is', () => {
  const exists = asked(new Set(['Vendor/lib', 'link']));
  expect([exists('Vendor/lib/x/y'), exists('link/x')]).toEqual([true, true]);
  expect([exists('README.md/nope'), exists('src/a/b.ts/x')]).toEqual([false, false]);
  // Nobody said which are which.
  expect(asked()('README.md/nope')).toBe(true);
});

test('without case, folders on the way to a submodule are found by any spelling', () => {
  const exists = asked(new Set(['Vendor/lib']), (path) => path.toLowerCase());
  expect([exists('VENDOR'), exists('vendor/LIB/x'), exists('SRC/A')]).toEqual([true, true, true]);
});

test('of a path with thousands of parts no more is looked up than what of it is there', () => {
  let looks = 0;
  class Counting extends Set<string> {
    override has(path: string): boolean {
      looks += 1;
      return super.has(path);
    }
  }
  const exists = existingPaths({ existing: new Counting(EXISTING) }, (path) => path);
  expect(exists(`src/a/${'x/'.repeat(5_000)}x`)).toBe(false);
  expect(looks).toBeLessThan(10);
});
