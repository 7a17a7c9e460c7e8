import type { AttemptReport } from '@atelier/engine';
import { expect, it } from 'vitest';
import { boundedReport } from './bounded-report.ts';

const NOW = Date.UTC(2026, 10, 30);
const IN_35_DAYS = Date.UTC(2027, 0, 4);

it.each([
  ['the year 2286', 9_999_999_999_999, IN_35_DAYS],
  ['no end', Number.POSITIVE_INFINITY, IN_35_DAYS],
  ['a week', NOW + 604_800_000, NOW + 604_800_000],
  ['the past', 1, 1],
])('a limit that ends in %s', (_, told, resumeAt) => {
  const report: AttemptReport = {
    ...{ kind: 'failed', cause: 'usage-limit', detail: 'own words', exitCode: 1 },
    resumeAt: told,
  };
  expect(boundedReport(report, NOW)).toEqual({ ...report, resumeAt });
});

it.each([
  ['what can be', { inputTokens: 1, outputTokens: 2e6, costUsd: 20 }, {}],
  ['a cost without tokens', { costUsd: 3 }, {}],
  ['nothing', {}, {}],
  ['a cost beyond any price', { outputTokens: 1_000, costUsd: 9e11 }, { costUsd: 0.1 }],
  ['a cost without tokens, beyond any attempt', { costUsd: 9e11 }, { costUsd: 100 }],
  [
    'endless tokens',
    { inputTokens: 1e308, cacheReadTokens: Number.POSITIVE_INFINITY },
    { inputTokens: 1e9, cacheReadTokens: 1e9 },
  ],
])('usage: %s', (_, usage, bounded) => {
  const replied: AttemptReport = { kind: 'replied', reply: { a: 1 }, usage };
  expect(boundedReport(replied, NOW)).toEqual({ ...replied, usage: { ...usage, ...bounded } });
});

it('usage: what is no amount is unknown', () => {
  const usage = { inputTokens: -1, outputTokens: Number.NaN, costUsd: -3, cacheReadTokens: 4 };
  const replied: AttemptReport = { kind: 'replied', reply: 1, usage };
  expect(boundedReport(replied, NOW)).toEqual({ ...replied, usage: { cacheReadTokens: 4 } });
});

it('a report without either stays as it is', () => {
  const replied: AttemptReport = { kind: 'replied', reply: 1 };
  expect(boundedReport(replied, NOW)).toEqual(replied);
});
