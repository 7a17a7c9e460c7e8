import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalInstant } from './instant.ts';

describe('decision 20: created_at is ISO 8601, compared as an instant', () => {
  it.each([
    ['2026-01-01', '2026-01-01T00:00:00.000000000Z'],
    ['2026-01-01 08:30:00', '2026-01-01T08:30:00.000000000Z'],
    ['2026-01-01T10:00:00+02:00', '2026-01-01T08:00:00.000000000Z'],
    ['2026-01-01T10:00+0200', '2026-01-01T08:00:00.000000000Z'],
    ['2026-01-01T00:00:00-01', '2026-01-01T01:00:00.000000000Z'],
    ['2026-01-01t00:00:00.5z', '2026-01-01T00:00:00.500000000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123456789Z'],
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000000000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000000000Z'],
  ])('%s is %s', (text, instant) => {
    expect(canonicalInstant(text)).toBe(instant);
  });

  it.each([
    '',
    'yesterday',
    '2026',
    '2026-13-01',
    '2026-02-30',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+25:00',
    '2026-01-01T00:00:00 Z',
    ' 2026-01-01',
    '2026-01-01T00:00:00.1234567890Z',
    '0000-01-01T00:00:00+23:59',
    '9999-12-31T23:59:59-01:00',
    '1767225600',
    '2026-01-01T00:00:00Z; DROP',
    '٢٠٢٦-01-01',
  ])('%j is refused', (text) => {
    expect(canonicalInstant(text)).toBeUndefined();
  });

  it('text order is time order', () => {
    const date = fc.date({ min: new Date(0), max: new Date('9998-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, date, (a, b) => {
        const [x = '', y = ''] = [a, b].map((one) => canonicalInstant(one.toISOString()));
        expect(Math.sign(a.getTime() - b.getTime())).toBe(x < y ? -1 : x > y ? 1 : 0);
      }),
    );
  });
});
