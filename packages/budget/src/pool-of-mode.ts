import { type BudgetPool, budgetPool, type PoolOptions } from './pool.ts';
import { RUN_MODES, type RunMode } from './run-modes.ts';

/**
 * The pool of a run: what the caller allows, as the mode has it. A mode may leave more of it unspent, never spend more of
 * it than the caller's own headroom would where that is less.
 */
export function poolOfMode(mode: RunMode, given: PoolOptions): BudgetPool {
  const { headroom, ceilingFactor, neutral } = RUN_MODES[mode];
  if (neutral) return budgetPool(given);
  const share = (total: number | undefined) =>
    total === undefined ? undefined : total * ceilingFactor;
  const tokens = share(given.outputTokens);
  return budgetPool({
    ...given,
    // Whole tokens, at least one: a total of none is no total.
    outputTokens: tokens === undefined ? undefined : Math.max(1, Math.floor(tokens)),
    costUsd: share(given.costUsd),
    headroom: Math.min(headroom, given.headroom ?? headroom),
  });
}
