import { expect, test } from 'vitest';
import { placesOf, placesOfName } from './places.ts';

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

test('brackets of an ordinary length are all spelled out, wherever they stand', () => {
  const page = placesOf('apps/web/src/app/[locale]/products/[slug]/page.tsx');
  expect(page).toHaveLength(30);
  expect(page).toContain('apps/web/src/app/[locale]/products/g/page.tsx');
  expect(placesOf(`${'x/'.repeat(52)}${'[ab]'.repeat(5)}/y`)).toHaveLength(33);
});

test.each([
  ['a long name behind them', `${'[ab]'.repeat(5)}${'x'.repeat(4_000)}`, ['']],
  ['many folders below them', `a/${'[ab]'.repeat(3)}/${'bcd/'.repeat(1_000)}e`, ['a']],
  [
    'many folders above them',
    `${'bcd/'.repeat(999)}bcd/${'[ab]'.repeat(3)}`,
    [`${'bcd/'.repeat(999)}bcd`],
  ],
])(
  '%s: a long entry counts as its folder, and is never spelled out in more than 8,192 characters',
  (_, entry, places) => {
    const found = placesOf(entry);
    expect(found.join('').length).toBeLessThanOrEqual(8_192);
    expect(found).toEqual(places);
  },
);

test('what is read, produced or was changed is a name, brackets and all, unless it has a star', () => {
  expect(placesOfName('app/[id]/page.tsx')).toEqual(['app/[id]/page.tsx']);
  expect(placesOfName('./a//{b}?\\c/')).toEqual(['a/{b}?\\c']);
  expect(placesOfName('src/[ab]/*.ts')).toEqual(['src/[ab]', 'src/a', 'src/b']);
});
