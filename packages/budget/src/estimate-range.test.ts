import { expect, test } from 'vitest';
import { estimateRange } from './estimate-range.ts';

const estimate = { outputTokens: 10, costUsd: 1 };

test('the range of a plan is from one attempt each to all that there may be', () => {
  const tasks = [
    { estimate, attempts: 5 },
    { estimate, attempts: 2 },
  ];
  const both = { outputTokens: { low: 20, high: 70 }, costUsd: { low: 2, high: 7 } };
  expect(estimateRange(tasks)).toEqual({
    ...both,
    tiers: [{ tier: null, model: null, tasks: 2, attempts: 7, ...both }],
  });
  expect(estimateRange([])).toEqual({
    ...{ outputTokens: { low: 0, high: 0 }, costUsd: { low: 0, high: 0 }, tiers: [] },
  });
});

test('it is told by tier, the cheapest first, models that tell none last', () => {
  const models = ['gpt-x', 'claude-opus-5-5', 'claude-haiku-5-5', undefined, 'claude-haiku-4-5'];
  const { tiers, costUsd } = estimateRange(
    [...models, 'claude-opus-5-5'].map((model) => ({ estimate, attempts: 3, model })),
  );
  expect(tiers.map(({ tier, model, tasks }) => [tier, model, tasks])).toEqual([
    ['haiku', 'claude-haiku-4-5', 1],
    ['haiku', 'claude-haiku-5-5', 1],
    ['opus', 'claude-opus-5-5', 2],
    [null, null, 1],
    [null, 'gpt-x', 1],
  ]);
  expect(costUsd).toEqual({ low: 6, high: 18 });
});

test('what has no price makes no sum of dollars, but leaves those of other tiers', () => {
  const { costUsd, outputTokens, tiers } = estimateRange([
    { estimate, attempts: 5, model: 'claude-haiku-5-5' },
    { estimate: { outputTokens: 1 }, attempts: 1, model: 'gpt-x' },
  ]);
  expect([costUsd, outputTokens]).toEqual([null, { low: 11, high: 51 }]);
  expect(tiers.map(({ costUsd: own }) => own)).toEqual([{ low: 1, high: 5 }, null]);
});
