import { describe, expect, it } from 'vitest';
import { resetTime } from './reset-time.ts';

const NOW = Date.UTC(2026, 10, 29, 19, 30);

describe('resetTime', () => {
  it.each([
    ['Claude AI usage limit reached|1790000000', 1_790_000_000_000],
    ['Claude AI usage limit reached|1796000000000', 1_796_000_000_000],
    ["You've hit your limit · resets 3pm (Europe/Lisbon)", Date.UTC(2026, 10, 30, 15)],
    ["You've hit your 5-hour limit · resets 9:31pm (UTC)", Date.UTC(2026, 10, 29, 21, 31)],
    ['resets 12am (America/New_York)', Date.UTC(2026, 10, 30, 5)],
    ['resets 12pm (Asia/Kolkata)', Date.UTC(2026, 10, 30, 6, 30)],
    ['resets Dec 3, 9am (UTC)', Date.UTC(2026, 11, 3, 9)],
    ['resets Jan 2, 9am (UTC)', Date.UTC(2027, 0, 2, 9)],
    ['You will regain access on 2026-12-01 at 00:00 UTC.', Date.UTC(2026, 11, 1)],
  ])('%s', (text, at) => {
    expect(resetTime(text, NOW)).toBe(at);
  });

  it('takes the offset of the moment it means, not of now', () => {
    const eveOfSummerTime = Date.UTC(2026, 2, 28, 22);
    expect(resetTime('resets 3pm (Europe/Lisbon)', eveOfSummerTime)).toBe(
      Date.UTC(2026, 2, 29, 14),
    );
  });

  it.each([
    ['no time', "You've hit your limit"],
    ['no zone', 'resets 3pm'],
    ['an unknown zone', 'resets 3pm (Middle/Earth)'],
    ['an unknown month', 'resets Foo 3, 9am (UTC)'],
    ['no such date', 'regain access on 2026-99-99 at 00:00 UTC'],
  ])('knows nothing from %s', (_, text) => {
    expect(resetTime(text, NOW)).toBeUndefined();
  });
});
