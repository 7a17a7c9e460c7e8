import { type Amount, combined, known, NOTHING, type Spent } from './amount.ts';
import { BudgetError } from './budget-error.ts';

/** What a pool is allowed in all. A kind that is absent is not limited. */
export interface PoolOptions {
  readonly outputTokens?: number | undefined;
  /** US dollars. */
  readonly costUsd?: number | undefined;
  /** The share of it that may be spent, above 0 and at most 1. Default 0.7. */
  readonly headroom?: number | undefined;
}

/** Why something does not fit: the limit that it would pass, what was asked, what is left. */
export interface Shortage {
  readonly kind: 'tokens' | 'money';
  readonly ceiling: number;
  readonly left: number;
  /** Null where nobody knows: what can not be priced does not fit into a limit of money. */
  readonly asked: number | null;
}

/** How a pool stands. Reserved and settled together never pass the ceiling but by what attempts used beyond their estimates. */
export interface PoolState {
  /** After headroom; null where there is no limit. */
  readonly ceiling: { readonly outputTokens: number | null; readonly costUsd: number | null };
  /** What has ended, and what is held for attempts that run. */
  readonly settled: Amount;
  readonly reserved: Amount;
}

/**
 * What a run may spend. An attempt's estimate is reserved when it is charged and settled to what it used, however it
 * ends. A pool below another is limited by every pool above it.
 */
export interface BudgetPool {
  /** The first limit that an estimate would pass; undefined when it fits, to the last token. */
  shortage(estimate: Spent): Shortage | undefined;
  /**
   * Holds an estimate for an attempt. Throws `BUDGET_EXCEEDED` when it does not fit, unless it is `charged` already: what
   * a journal tells counts, whatever the limit is by now. A key that is held or settled stays as it is.
   */
  reserve(key: string, estimate: Spent, more?: { readonly charged?: boolean }): void;
  /** What a running attempt has used so far. `over`: it is beyond its estimate, and a limit is passed because of it. */
  note(key: string, used: Spent): 'within' | 'over';
  /** The end of an attempt. What is not known of it counts as what was noted, and at least as its estimate. */
  settle(key: string, used: Spent | undefined): void;
  /** An attempt that never began. */
  release(key: string): void;
  /** A pool within this one. */
  child(options: PoolOptions): BudgetPool;
  state(): PoolState;
}

const HEADROOM = 0.7;

/** Throws `INVALID_BUDGET` for a limit or a headroom that can not be meant. */
export const budgetPool = (options: PoolOptions = {}): BudgetPool => poolOf(options, []);

interface Limit {
  readonly ceiling: PoolState['ceiling'];
  settled: Amount;
  reserved: Amount;
}

interface Held {
  readonly estimate: Amount;
  readonly now: Amount;
}

/** Each limit knows its own sums; a reservation is in the pool that made it, and in every one above. */
function poolOf(options: PoolOptions, above: readonly Limit[]): BudgetPool {
  const own: Limit = { ceiling: ceilingOf(options), settled: NOTHING, reserved: NOTHING };
  const chain = [own, ...above];
  const held = new Map<string, Held>();
  const settled = new Set<string>();

  const hold = (change: Amount) => {
    for (const limit of chain) limit.reserved = combined(limit.reserved, change, plus);
  };
  const drop = (key: string): Held | undefined => {
    const entry = held.get(key);
    held.delete(key);
    if (entry) hold(combined(NOTHING, entry.now, minus));
    return entry;
  };

  const pool: BudgetPool = {
    shortage: (estimate) => firstShortage(chain, estimate),
    reserve(key, estimate, { charged = false } = {}) {
      if (held.has(key) || settled.has(key)) return;
      const amount = amountOf(estimate);
      const short = charged ? undefined : firstShortage(chain, estimate);
      if (short)
        throw new BudgetError(
          'BUDGET_EXCEEDED',
          `${short.asked ?? 'an unknown amount of'} ${short.kind} can not be reserved: ${short.left} of ${short.ceiling} are left`,
          'Raise the budget, or wait for what is reserved to be settled.',
        );
      held.set(key, { estimate: amount, now: amount });
      hold(amount);
    },
    note(key, used) {
      const entry = held.get(key);
      if (!entry) return 'within';
      const now = combined(entry.now, amountOf(used), Math.max);
      hold(combined(now, entry.now, minus));
      held.set(key, { ...entry, now });
      return isBeyond(now, entry.estimate, chain) ? 'over' : 'within';
    },
    settle(key, used) {
      if (settled.has(key)) return;
      const entry = drop(key);
      settled.add(key);
      const { now = NOTHING } = entry ?? {};
      const real = {
        outputTokens: known(used?.outputTokens) ?? now.outputTokens,
        costUsd: known(used?.costUsd) ?? now.costUsd,
      };
      for (const limit of chain) limit.settled = combined(limit.settled, real, plus);
    },
    release(key) {
      drop(key);
    },
    child: (options) => poolOf(options, chain),
    state: () => ({ ceiling: own.ceiling, settled: own.settled, reserved: own.reserved }),
  };
  return pool;
}

const plus = (one: number, other: number): number => one + other;
const minus = (one: number, other: number): number => one - other;

const amountOf = ({ outputTokens, costUsd }: Spent): Amount => ({
  outputTokens: known(outputTokens) ?? 0,
  costUsd: known(costUsd) ?? 0,
});

/** Sums of dollars are off by less than this. */
const ROUNDING = 1e-9;

function firstShortage(chain: readonly Limit[], estimate: Spent): Shortage | undefined {
  for (const limit of chain)
    for (const [kind, channel] of KINDS) {
      const ceiling = limit.ceiling[channel];
      if (ceiling === null) continue;
      const left = Math.max(0, ceiling - limit.settled[channel] - limit.reserved[channel]);
      const asked = known(estimate[channel]) ?? null;
      if (asked === null || asked > left + ROUNDING || left <= ROUNDING)
        return { kind, ceiling, left, asked };
    }
  return undefined;
}

const KINDS = [
  ['tokens', 'outputTokens'],
  ['money', 'costUsd'],
] as const;

/** Only whoever is past its estimate answers for a limit that is passed. */
const isBeyond = (now: Amount, estimate: Amount, chain: readonly Limit[]): boolean =>
  KINDS.some(
    ([, channel]) =>
      now[channel] > estimate[channel] &&
      chain.some(({ ceiling, settled, reserved }) => {
        const most = ceiling[channel];
        return most !== null && settled[channel] + reserved[channel] > most + ROUNDING;
      }),
  );

function ceilingOf({
  outputTokens,
  costUsd,
  headroom = HEADROOM,
}: PoolOptions): PoolState['ceiling'] {
  if (!(headroom > 0 && headroom <= 1)) throw invalid('headroom', headroom, 'above 0, at most 1');
  for (const [name, value] of Object.entries({ outputTokens, costUsd }))
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw invalid(name, value, 'above 0');
  return {
    outputTokens: outputTokens === undefined ? null : Math.floor(outputTokens * headroom),
    costUsd: costUsd === undefined ? null : costUsd * headroom,
  };
}

const invalid = (name: string, value: unknown, wanted: string): BudgetError =>
  new BudgetError(
    'INVALID_BUDGET',
    `${name} must be ${wanted}, got ${String(value)}`,
    'Leave it out for no limit.',
  );
