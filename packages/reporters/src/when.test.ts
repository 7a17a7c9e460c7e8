import { expect, test } from 'vitest';
import { duration, instant, timeOfDay } from './when.ts';

test.each([
  [0, '0 s'],
  [499, '0 s'],
  [1500, '2 s'],
  [59_499, '59 s'],
  [59_500, '1 min'],
  [125_000, '2 min 5 s'],
  [1_800_000, '30 min'],
  [3_600_000, '1 h'],
  [9_000_000, '2 h 30 min'],
  [-1, '-'],
  [Number.NaN, '-'],
  [Number.POSITIVE_INFINITY, '-'],
])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

test.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [undefined, undefined],
  [Number.NaN, undefined],
  [9e15, undefined],
])('%s ms after the epoch is %s', (ms, text) => expect(instant(ms)).toBe(text));

test.each([
  ['2026-01-01T09:30:05.123Z', '09:30:05'],
  ['soon', 'soon    '],
  ['', '        '],
])('the time of %j is %j', (at, text) => expect(timeOfDay(at)).toBe(text));
