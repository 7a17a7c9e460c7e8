import { expect, test } from 'vitest';
import { type CostSum, renderCost } from './render-cost.ts';

const sum = (over: Partial<CostSum> = {}): CostSum => ({
  ...{ attempts: 2, inputTokens: 12_345, outputTokens: 678, cacheReadTokens: 0 },
  ...{ cacheWriteTokens: 0, costUsd: 1.5, unmetered: 0, unpriced: 0 },
  ...over,
});

test('shows tokens and dollars by grouping, and the whole below', () => {
  const text = renderCost({
    total: sum(),
    groups: [{ title: 'task', rows: [['api', sum()]] }],
  });
  expect(text).toBe(
    [
      'task  attempts  in      out  cache read  cache write  cost',
      'api   2         12,345  678  0           0            $1.50',
      '',
      '2 attempts, $1.50.',
      '',
    ].join('\n'),
  );
});

test('what is not known is said, and is no zero', () => {
  const total = sum({ unpriced: 1, unmetered: 1, costUsd: 0.25 });
  const text = renderCost({
    total,
    groups: [{ title: 'model', rows: [['x', sum({ unpriced: 2, costUsd: 0 })]] }],
  });
  expect(text).toContain('cost unknown');
  expect(text).toContain('2 attempts, at least $0.2500.');
  expect(text).toContain('1 attempt has told no tokens.');
  expect(text).toContain('1 attempt has no known cost');
});

test('names are made printable', () => {
  const rows = [['a\u001b[2J', sum()]] as const;
  expect(renderCost({ total: sum(), groups: [{ title: 'task', rows }] })).not.toContain('\u001b');
});
