import { expect, test } from 'vitest';
import { columnsOf } from './fit.ts';
import { table } from './table.ts';

const columns = [
  { title: 'id', min: 3, max: 6 },
  { title: 'title', min: 5, max: 20 },
];

const rows = [
  ['a', 'short'],
  ['日本語の名前', 'a title of more than twenty'],
];

test('columns are as wide as their cells, up to their limit', () => {
  expect(table(columns, rows, 80)).toEqual([
    'id      title',
    'a       short',
    '日本…   a title of more tha…',
  ]);
});

test('a narrow line takes from the widest column first, and never more than each can give', () => {
  expect(table(columns, rows, 20)).toEqual([
    'id      title',
    'a       short',
    '日本…   a title of …',
  ]);
  const narrowest = table(columns, rows, 1);
  expect(narrowest).toEqual(['id   title', 'a    short', '日…  a ti…']);
});

test('no line is longer than the width that was asked for', () => {
  for (let width = 10; width < 40; width++) {
    for (const line of table(columns, rows, width)) {
      expect(columnsOf(line)).toBeLessThanOrEqual(width);
    }
  }
});
