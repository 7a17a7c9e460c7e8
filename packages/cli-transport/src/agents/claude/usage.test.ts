import { describe, expect, it } from 'vitest';
import { usageOf } from './usage.ts';

const usage = { input_tokens: 200, output_tokens: 2 };
const model = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

describe('usageOf', () => {
  it('takes the larger of what a record counts twice: each count leaves out some answers', () => {
    expect(usageOf({ usage, modelUsage: { a: model(100, 40), b: model(50, 1) } })).toEqual({
      inputTokens: 200,
      outputTokens: 41,
    });
    expect(usageOf({ usage: { input_tokens: 0 }, modelUsage: { a: model(100, 1) } })).toEqual({
      inputTokens: 100,
      outputTokens: 1,
    });
    expect(usageOf({ usage, modelUsage: {} })).toEqual({ inputTokens: 200, outputTokens: 2 });
  });

  it('a sum of which a part is unknown is unknown', () => {
    expect(usageOf({ modelUsage: { a: model(100, 1), b: { outputTokens: 5 } } })).toEqual({
      outputTokens: 6,
    });
  });

  it('a cost of 0 beside tokens is unknown, and without them it is 0', () => {
    expect(usageOf({ usage, total_cost_usd: 0 })).not.toHaveProperty('costUsd');
    expect(usageOf({ usage: { input_tokens: 0 }, total_cost_usd: 0 })).toMatchObject({
      costUsd: 0,
    });
    expect(usageOf({ usage, total_cost_usd: 0.5 })).toMatchObject({ costUsd: 0.5 });
  });

  it.each([[undefined], ['much'], [null], [[1]]])('knows nothing from %j', (nothing) => {
    expect(usageOf({ usage: nothing, modelUsage: nothing, total_cost_usd: nothing })).toEqual({});
  });
});
