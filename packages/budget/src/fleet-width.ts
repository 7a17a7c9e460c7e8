import type { BudgetPool } from './pool.ts';

/** How many attempts of a size a pool has room for at once, and at most as many as asked. May be 0. */
export function fleetWidth(pool: BudgetPool, perAttempt: number, most: number): number {
  const { ceiling, settled, reserved } = pool.state();
  if (ceiling.outputTokens === null) return most;
  const left = Math.max(0, ceiling.outputTokens - settled.outputTokens - reserved.outputTokens);
  return Math.min(most, Math.floor(left / perAttempt));
}
