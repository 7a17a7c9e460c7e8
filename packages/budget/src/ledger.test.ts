import { expect, test } from 'vitest';
import { estimateOf } from './estimates.ts';
import { type LedgerEntry, ledgerOf } from './ledger.ts';
import { poolOfMode } from './pool-of-mode.ts';
import { chargeOf, costOf } from './prices.ts';

const entry = (over: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ runId: 'r', wave: 0, taskId: 'a', attempt: 1, model: 'm' },
  ...{ spent: { inputTokens: 10, outputTokens: 5 }, costUsd: 0.5 },
  ...over,
});

test('a ledger adds each attempt up once in every grouping, and counts what is not known', () => {
  const ledger = ledgerOf([
    entry({}),
    entry({ attempt: 2, spent: {}, costUsd: null }),
    entry({ taskId: 'b', wave: 1, model: null, costUsd: null }),
  ]);
  expect(ledger.total).toMatchObject({
    ...{ attempts: 3, inputTokens: 20, outputTokens: 10, costUsd: 0.5 },
    ...{ unmetered: 1, unpriced: 2 },
  });
  expect(ledger.byTask.get('a')).toMatchObject({ attempts: 2, unpriced: 1 });
  expect([...ledger.byModel.keys()]).toEqual(['m', 'unknown']);
  expect(ledger.byWave.get(1)).toMatchObject({ attempts: 1, outputTokens: 5 });
  expect(ledger.byRun.get('r')).toEqual(ledger.total);
});

test("a cost that can not be meant is nobody's word", () => {
  for (const costUsd of [Number.NaN, -1, Number.POSITIVE_INFINITY])
    expect(ledgerOf([entry({}), entry({ attempt: 2, costUsd })]).total).toMatchObject({
      ...{ costUsd: 0.5, unpriced: 1 },
    });
});

test('an empty ledger is all zeros', () => {
  expect(ledgerOf([]).total).toMatchObject({ attempts: 0, costUsd: 0, unpriced: 0 });
});

test("a program's own word of its cost goes before the list", () => {
  const spent = { inputTokens: 1_000_000 };
  expect(costOf('claude-opus-5-5', { ...spent, costUsd: 1.5 })).toBe(1.5);
  expect(costOf('claude-opus-5-5', spent)).toBe(4);
  expect(costOf('nobody', spent)).toBeNull();
  // Against a limit a program's word does not lower what its tokens cost.
  expect(chargeOf('claude-opus-5-5', { ...spent, costUsd: 0.01 })).toBe(4);
  expect(chargeOf('claude-opus-5-5', { ...spent, costUsd: 5 })).toBe(5);
  expect(chargeOf('nobody', { ...spent, costUsd: 5 })).toBe(5);
  expect(chargeOf('nobody', spent)).toBeNull();
});

test('an estimate learns from its like, once there are enough of them', () => {
  const sample = (outputTokens: number) => ({ kind: 'k', spent: { outputTokens, costUsd: 1 } });
  const few = [1, 2, 3, 4].map(sample);
  expect(estimateOf('claude-opus-5-5', 'k', few).outputTokens).toBe(12_000);
  expect(estimateOf('claude-opus-5-5', 'k', [...few, sample(5)])).toEqual({
    ...{ outputTokens: 4, costUsd: 1 },
  });
  expect(estimateOf('claude-haiku-5-5', 'other', few).outputTokens).toBe(2_000);
  expect(estimateOf('gpt', 'k').outputTokens).toBe(6_000);
  expect(estimateOf('gpt', 'k')).not.toHaveProperty('costUsd');
});

test('no mode spends more than the caller allows, and balanced changes nothing', () => {
  const ceiling = (mode: 'cost-lean' | 'balanced' | 'quality-lean', headroom?: number) =>
    poolOfMode(mode, { outputTokens: 100_000, headroom }).state().ceiling.outputTokens;
  expect(ceiling('cost-lean')).toBe(33_000);
  expect(ceiling('balanced')).toBe(70_000);
  expect(ceiling('quality-lean')).toBe(85_000);
  expect(ceiling('quality-lean', 0.5)).toBe(50_000);
  expect(ceiling('balanced', 0.9)).toBe(90_000);
});
