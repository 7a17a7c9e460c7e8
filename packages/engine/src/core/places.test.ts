import { expect, test } from 'vitest';
import { placesOf } from './places.ts';

test.each([
  ['./src//a.ts', ['src/a.ts']],
  ['src/', ['src']],
  ['src/**', ['src']],
  ['src/*/x', ['src']],
  ['*.md', ['']],
  ['**', ['']],
  ['{a,b/c}/x', ['']],
  ['src/a?', ['src']],
  ['src/\\[x]', ['src']],
])('%s may cover what is in %j', (entry, places) => {
  expect(placesOf(entry)).toEqual(places);
});

test('plain brackets are spelled out, as a name and as a choice', () => {
  expect(placesOf('app/[id]/page.tsx')).toEqual([
    'app/[id]/page.tsx',
    'app/i/page.tsx',
    'app/d/page.tsx',
  ]);
  expect(placesOf('[]a]x')).toEqual(['[]a]x', ']x', 'ax']);
  expect(placesOf('a[b')).toEqual(['a[b']);
  expect(placesOf('a/[!b]')).toEqual(['a']);
  expect(placesOf('a/[a-z]')).toEqual(['a']);
});

test('a pattern with too many spellings counts as its folder', () => {
  expect(placesOf(`a/${'[xyz]'.repeat(20)}`)).toEqual(['a']);
});
