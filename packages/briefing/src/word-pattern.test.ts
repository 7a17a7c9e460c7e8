import { expect, test } from 'vitest';
import { matchAt, wordPattern } from './word-pattern.ts';
import { wordsOf } from './words-of.ts';

const finds = (source: string, text: string): string | undefined => {
  const words = wordsOf(text);
  const pattern = wordPattern(source);
  const found = words.map((_, index) => matchAt(words, index, pattern)).find(Boolean);
  return found?.text;
};

test.each([
  ['a b', 'a b', 'b'],
  ['a b', 'a x b', undefined],
  ['a ~2 b', 'a x x b', 'b'],
  ['a ~2 b', 'a x x x b', undefined],
  ['a b|c d', 'a c d', 'd'],
  ['a ~3 b c', 'a b x b c', 'c'],
  ['a b', 'a. b', undefined],
  ['a b', 'a\nb', 'b'],
  ['^ a b', 'x a b', undefined],
  ['^ a b', 'x: a b', 'b'],
  ['^ a b', 'Please now a b', 'b'],
  ['^ a b', 'x please a b', undefined],
  ['a ^ b', 'a b', undefined],
  ['a ^ b', 'a: b', 'b'],
  ['a b $', 'a b c', undefined],
  ['a b $', 'a b, c', 'b'],
  ['a ~1 b $', 'a b b.', 'b'],
])('%j in %j', (source, text, last) => {
  expect(finds(source, text)).toBe(last);
});
