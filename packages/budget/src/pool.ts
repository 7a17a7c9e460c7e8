import { type Amount, combined, counted, NOTHING, type Spent, unitsOf } from './amount.ts';
import { BudgetError } from './budget-error.ts';
import { type HeldAttempts, heldAttempts } from './held-attempts.ts';
import {
  ceilingOf,
  firstShortage,
  type Limit,
  leftOf,
  type Shortage,
  type Totals,
} from './limit.ts';

/** How the pool of a run is made. */
export interface PoolOptions extends Totals {
  /**
   * The most that an attempt uses between two notes. It is kept back for each one that runs, so that those who are cut do
   * not pass a ceiling together. Default nothing.
   */
  readonly step?: Spent | undefined;
}

/** How a pool stands. */
export interface PoolState {
  /** After headroom; null where there is no limit. */
  readonly ceiling: { readonly outputTokens: number | null; readonly costUsd: number | null };
  /** What has ended, and what is held for attempts that run, each with its step. */
  readonly settled: Amount;
  readonly reserved: Amount;
  /** What is left here and in every pool above, at least 0; null where none of them limits it. */
  readonly left: { readonly outputTokens: number | null; readonly costUsd: number | null };
  /** Ended attempts of the whole tree of which nobody said a cost: no sum of money has them. */
  readonly untold: number;
}

/**
 * What a run may spend. An attempt's estimate is reserved when it is charged, grows with what it uses, and is settled to
 * what it used, however it ends. A pool below another is limited by every pool above it.
 *
 * When attempts are noted at least every `step` and cut as soon as they are `over`, no ceiling is passed. A longer
 * step passes one by what it is longer; without a step, by the last step of each attempt that was cut.
 */
export interface BudgetPool {
  /** The first limit that an estimate would pass; undefined when it fits, to the last token. */
  shortage(estimate: Spent): Shortage | undefined;
  /**
   * Holds an estimate for an attempt. Throws `BUDGET_EXCEEDED` when it does not fit, unless it is `charged` already: what
   * a journal tells counts, whatever the limit is by now. A key that is held or settled stays as it is;
   * `BUDGET_KEY_TAKEN` for that of another pool of the tree.
   */
  reserve(key: string, estimate: Spent, more?: { readonly charged?: boolean }): void;
  /**
   * What a running attempt has used so far; the last word counts. `over`: it is beyond its estimate, and a limit is passed because of it. An
   * attempt that was never reserved counts all the same.
   */
  note(key: string, used: Spent): 'within' | 'over';
  /** The end of an attempt; the first one counts. It is never less than what was noted last; what is not known of it is at
   * least its estimate. */
  settle(key: string, used: Spent | undefined): void;
  /** An attempt that never began. What was noted of it stays charged. */
  release(key: string): void;
  /** A pool within this one. */
  child(options: Totals): BudgetPool;
  state(): PoolState;
  /** What is kept back for each attempt. */
  readonly step: Amount;
}

/** Throws `INVALID_BUDGET` for a limit or a headroom that can not be meant. */
export function budgetPool({ step = {}, ...totals }: PoolOptions = {}): BudgetPool {
  const kept = unitsOf(step);
  return poolOf(totals, { above: [], step: kept, attempts: heldAttempts(kept) });
}

interface Tree {
  readonly above: readonly Limit[];
  readonly step: Amount;
  readonly attempts: HeldAttempts;
}

/** Each limit knows its own sums; an attempt is in the pool that reserved it, and in every one above. */
function poolOf(totals: Totals, { above, step, attempts }: Tree): BudgetPool {
  const own: Limit = { ceiling: ceilingOf(totals), settled: NOTHING, reserved: NOTHING };
  const chain = [own, ...above];
  return {
    step: counted(step),
    shortage: (estimate) => firstShortage(chain, estimate, step),
    reserve(key, estimate, { charged = false } = {}) {
      if (attempts.has(key, chain)) return;
      const short = charged ? undefined : firstShortage(chain, estimate, step);
      if (short) throw exceeded(short);
      attempts.hold(key, chain, estimate);
    },
    note: (key, used) => attempts.note(key, chain, used),
    settle: (key, used) => attempts.settle(key, chain, used),
    release: (key) => attempts.release(key),
    child: (options) => poolOf(options, { above: chain, step, attempts }),
    state: () => ({
      ceiling: limited(own.ceiling),
      settled: counted(own.settled),
      reserved: counted(own.reserved),
      left: limited(chain.map(leftOf).reduce((one, other) => combined(one, other, Math.min))),
      untold: attempts.untold(),
    }),
  };
}

/** As a caller counts, at least 0; null for what has no limit. */
function limited(units: Amount): PoolState['left'] {
  const { outputTokens, costUsd } = counted(units);
  return { outputTokens: finite(outputTokens), costUsd: finite(costUsd) };
}

const finite = (value: number): number | null =>
  value === Number.POSITIVE_INFINITY ? null : Math.max(0, value);

const exceeded = ({ asked, kind, left, ceiling }: Shortage): BudgetError =>
  new BudgetError(
    'BUDGET_EXCEEDED',
    `${asked ?? 'an unknown amount of'} ${kind} can not be reserved: ${left} of ${ceiling} are left`,
    'Raise the budget, or wait for what is reserved to be settled.',
  );
