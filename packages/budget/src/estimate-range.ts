import { known, type Spent } from './amount.ts';

/** What a plan may use up: with one attempt for each task, and with every attempt that it may have. */
export interface EstimateRange {
  readonly outputTokens: { readonly low: number; readonly high: number };
  /** US dollars; null where an attempt has no price. */
  readonly costUsd: { readonly low: number; readonly high: number } | null;
}

/** Adds the estimates of tasks up. */
export function estimateRange(
  tasks: Iterable<{ readonly estimate: Spent; readonly attempts: number }>,
): EstimateRange {
  const outputTokens = { low: 0, high: 0 };
  const costUsd = { low: 0, high: 0 };
  let priced = true;
  for (const { estimate, attempts } of tasks) {
    const tokens = known(estimate.outputTokens) ?? 0;
    const cost = known(estimate.costUsd);
    priced &&= cost !== undefined;
    outputTokens.low += tokens;
    outputTokens.high += tokens * attempts;
    costUsd.low += cost ?? 0;
    costUsd.high += (cost ?? 0) * attempts;
  }
  return { outputTokens, costUsd: priced ? costUsd : null };
}
