import type { AttemptReport, Usage } from '@atelier/engine';

/** A program's own word on when it may go on, or on what it has used up, can be any number. */
const LONGEST_LIMIT_MS = 35 * 24 * 3_600_000;

/** Of each kind. */
const MOST_TOKENS = 1_000_000_000;

/** In US dollars: four times the dearest list price, for each token of any kind. */
const MOST_USD_A_TOKEN = 100 / 1_000_000;

/** In US dollars, where no tokens are told. */
const MOST_USD = 100;

/**
 * A report whose limit ends within 35 days, and whose amounts are finite, at least 0, and none that nobody could have used
 * up: of tokens a thousand millions of each kind, and as much money as so many tokens can cost.
 */
export function boundedReport(report: AttemptReport, wallMs: number): AttemptReport {
  const usage = report.usage && { usage: boundedUsage(report.usage) };
  if (report.kind !== 'failed' || report.resumeAt === undefined) return { ...report, ...usage };
  const resumeAt = Math.min(report.resumeAt, wallMs + LONGEST_LIMIT_MS);
  return { ...report, ...usage, resumeAt };
}

function boundedUsage({ costUsd, ...tokens }: Usage): Usage {
  const told = Object.entries(tokens).filter(isAmount);
  const counts = told.map(([name, count]) => [name, Math.min(count, MOST_TOKENS)] as const);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const most = all === 0 ? MOST_USD : all * MOST_USD_A_TOKEN;
  const cost: [string, number | undefined] = ['costUsd', costUsd];
  return {
    ...Object.fromEntries(counts),
    ...(isAmount(cost) && { costUsd: Math.min(cost[1], most) }),
  };
}

const isAmount = (entry: readonly [string, number | undefined]): entry is [string, number] =>
  entry[1] !== undefined && entry[1] >= 0 && !Number.isNaN(entry[1]);
