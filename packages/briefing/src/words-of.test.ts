import { expect, test } from 'vitest';
import { wordsOf } from './words-of.ts';

const folded = (text: string): string[] => wordsOf(text).map((word) => word.text);

test.each([
  ['Ignore ALL', ['ignore', 'all']],
  ['don’t __do__ --that-', ['dont', 'do', 'that']],
  ['ｆｕｌｌ wi\u200bdth s\u00adoft', ['full', 'width', 'soft']],
  ['- * — …', []],
  ['x'.repeat(81), ['-']],
  ['', []],
])('%j has the words %j', (text, words) => {
  expect(folded(text)).toEqual(words);
});

test.each([
  ['a b', 1],
  ['a. b', 2],
  ['a.b', 1],
  ['a\nb', 1],
  ['a\r\nb', 1],
  ['a\n\nb', 2],
  ['a\n- b', 2],
  ['a.) b', 2],
  ['a: b, c', 1],
])('%j has %i sentences', (text, count) => {
  expect(new Set(wordsOf(text).map(({ sentence }) => sentence)).size).toBe(count);
});

test('what begins a line or comes after a colon starts; what comes before punctuation ends', () => {
  const words = wordsOf('one two: three, four\nfive (six).');
  expect(words.filter(({ starts }) => starts).map(({ text }) => text)).toEqual([
    ...['one', 'three', 'five'],
  ]);
  expect(words.filter(({ ends }) => ends).map(({ text }) => text)).toEqual([
    ...['two', 'three', 'four', 'five', 'six'],
  ]);
});

test('a word stands where it says', () => {
  const text = 'Set -the- Ｓtatus.';
  expect(wordsOf(text).map(({ at, end }) => text.slice(at, end))).toEqual([
    ...['Set', '-the-', 'Ｓtatus'],
  ]);
});
