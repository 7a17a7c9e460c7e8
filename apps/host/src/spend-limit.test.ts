import { describe, expect, it } from 'vitest';
import { limitOver, spendLimit } from './spend-limit.ts';

describe('--budget', () => {
  it.each([
    [['500000'], { tokens: 500_000 }],
    [['500k'], { tokens: 500_000 }],
    [['1.5M'], { tokens: 1_500_000 }],
    [['$20'], { usd: 20 }],
    [['2.50usd'], { usd: 2.5 }],
    [['200k', '$5'], { tokens: 200_000, usd: 5 }],
    [[], {}],
  ])('%j', (given, limit) => {
    expect(spendLimit(given)).toEqual(limit);
  });

  it.each([[['much']], [['-5']], [['0']], [['$0']], [['5eur']], [['1e6']], [['']], [['5k', '6k']]])(
    'refuses %j, and says how it is written',
    (given) => {
      expect(() => spendLimit(given)).toThrow(
        expect.objectContaining({
          message: expect.stringContaining('--budget'),
          fix: expect.stringContaining('500k'),
        }),
      );
    },
  );
});

describe('a limit over another one', () => {
  it.each([
    [{ tokens: 500_000 }, { usd: 20 }, { tokens: 500_000, usd: 20 }],
    [{ tokens: 500_000, usd: 5 }, { usd: 20 }, { tokens: 500_000, usd: 20 }],
    [{ tokens: 500_000 }, undefined, { tokens: 500_000 }],
  ])('%j and %j: each kind by itself', (before, given, limit) => {
    expect(limitOver(before, given)).toEqual(limit);
  });
});
