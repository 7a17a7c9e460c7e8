import { expect, test } from 'vitest';
import { spendLines } from './preview-spend.ts';

const range = (low: number, cost: number | null) => ({
  outputTokens: { low, high: 5 * low },
  costUsd: cost === null ? null : { low: cost, high: 5 * cost },
});

const tier = (name: string | null, model: string | null, cost: number | null) => ({
  ...{ tier: name, model, tasks: 2, ...range(1_000, cost) },
});

test('one model is one line, several are one more for each', () => {
  const one = { ...range(6_000, 0.5), tiers: [tier('opus', 'claude-opus-5-5', 0.5)] };
  expect(spendLines(one)).toEqual([
    'By estimate 6,000 to 30,000 output tokens, $0.50 to $2.50: with one attempt for each task, and with every attempt there may be.',
  ]);
  const two = { ...one, tiers: [tier('haiku', 'h', 0.25), tier('opus', 'claude-opus-5-5', 0.25)] };
  expect(spendLines(two).slice(1)).toEqual([
    '  haiku (h), 2 tasks: 1,000 to 5,000 output tokens, $0.25 to $1.25',
    '  opus (claude-opus-5-5), 2 tasks: 1,000 to 5,000 output tokens, $0.25 to $1.25',
  ]);
});

test('a price that is not known is said, and never a zero', () => {
  const tiers = [tier('opus', 'o', 1), tier(null, null, null), tier(null, 'gpt-\u001b', null)];
  const lines = spendLines({ ...range(3_000, null), tiers });
  expect(lines[0]).toContain('at a cost that is not known');
  expect(lines[1]).toContain('No sum of dollars is told');
  expect(lines.slice(3)).toEqual([
    '  a model of the program’s own choice, 2 tasks: 1,000 to 5,000 output tokens, at a cost that is not known',
    '  gpt-\\x1b, 2 tasks: 1,000 to 5,000 output tokens, at a cost that is not known',
  ]);
  expect(lines.join('')).not.toContain('$0');
});

test('many models are counted', () => {
  const tiers = Array.from({ length: 14 }, (_, at) => tier(null, `m${at}`, null));
  expect(spendLines({ ...range(1, null), tiers }).at(-1)).toBe('  and 4 models more');
});
