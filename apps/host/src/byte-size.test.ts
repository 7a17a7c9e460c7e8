import { expect, test } from 'vitest';
import { byteSize } from './byte-size.ts';

test.each([
  ['0', 0],
  ['17', 17],
  ['17B', 17],
  ['500MB', 500_000_000],
  ['500 mb', 500_000_000],
  ['1.5kB', 1_500],
  ['2GiB', 2 * 2 ** 30],
  ['1.001KiB', 1_025],
  [' 1TB ', 1e12],
  ['1TiB', 2 ** 40],
])('%j is %d bytes', (text, bytes) => expect(byteSize(text)).toBe(bytes));

test.each([
  '',
  'MB',
  '-1',
  '1e3',
  '1,5MB',
  '1..5MB',
  '.5MB',
  '2G',
  '1M',
  '1PB',
  '1  MB',
  '9'.repeat(16),
  '0x10',
  'toString',
  '1 in',
])('%j names no size', (text) => expect(byteSize(text)).toBeUndefined());
