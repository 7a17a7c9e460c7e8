export type { Amount, Spent } from './amount.ts';
export { BudgetError } from './budget-error.ts';
export {
  type EstimateRange,
  estimateRange,
  type RangedTask,
  type TierRange,
} from './estimate-range.ts';
export { estimateOf, type Sample } from './estimates.ts';
export { fleetWidth } from './fleet-width.ts';
export { type Ledger, type LedgerEntry, type LedgerSum, ledgerOf } from './ledger.ts';
export type { Shortage, Totals } from './limit.ts';
export { parseRunMode, parseSavedRunMode } from './parse-run-mode.ts';
export { type BudgetPool, budgetPool, type PoolOptions, type PoolState } from './pool.ts';
export { poolOfMode } from './pool-of-mode.ts';
export { canonicalModel, chargeOf, costOf, PRICES_AS_OF, priceOf } from './prices.ts';
export {
  type ResolvedRunMode,
  type RunModeReason,
  type RunModeSources,
  resolveRunMode,
} from './resolve-run-mode.ts';
export { RUN_MODES, type RunMode, type RunModeTraits } from './run-modes.ts';
export { MODELS, normalizePhase, parseTier, recommendTier, type Tier, tierOf } from './tiers.ts';
export { workersOf } from './workers-of.ts';
