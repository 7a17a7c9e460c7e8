import { known, type Spent, unitsOf, unitsOfUsd } from './amount.ts';
import type { BudgetPool } from './pool.ts';

/**
 * How many attempts of a size a pool and those above it have room for at once, and at most as many as asked. 0 when not one
 * fits, or when a limited kind is not known of it.
 */
export function fleetWidth(pool: BudgetPool, perAttempt: number | Spent, most: number): number {
  const size = typeof perAttempt === 'number' ? { outputTokens: perAttempt } : perAttempt;
  const each = unitsOf(size);
  const step = unitsOf(pool.step);
  const { outputTokens, costUsd } = pool.state().left;
  const left = { outputTokens, costUsd: costUsd === null ? null : unitsOfUsd(costUsd) };
  const fits = (channel: 'outputTokens' | 'costUsd'): number => {
    const limit = left[channel];
    if (limit === null) return most;
    if (known(size[channel]) === undefined) return 0;
    const one = each[channel] + step[channel];
    return one === 0 ? most : Math.floor(limit / one);
  };
  return Math.max(0, Math.min(most, fits('outputTokens'), fits('costUsd')));
}
