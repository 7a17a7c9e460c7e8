import { expect, test } from 'vitest';
import { columnsOf, fit, pad } from './fit.ts';

test.each([
  ['abc', 3],
  ['', 0],
  ['日本', 4],
  ['👩‍👩‍👧', 2],
  ['é', 1],
])('%s takes %d columns', (text, columns) => expect(columnsOf(text)).toBe(columns));

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['日本語', 5, '日本…'],
  ['日本語', 4, '日…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
])('%s in %d columns is %s', (text, columns, shown) => {
  expect(fit(text, columns)).toBe(shown);
  expect(columnsOf(shown)).toBeLessThanOrEqual(columns);
});

test('padding counts columns, not characters', () => {
  expect(pad('日', 4)).toBe('日  ');
  expect(pad('abcde', 4)).toBe('abcde');
});
