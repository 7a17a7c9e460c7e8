import { type Amount, combined, known, NOTHING, type Spent, unitsOf } from './amount.ts';
import { BudgetError } from './budget-error.ts';
import { isBeyond, type Limit } from './limit.ts';

/** A pool and every one above it: all of them are charged, once each. */
type Chain = readonly Limit[];

interface Held {
  readonly chain: Chain;
  readonly estimate: Amount;
  /** The larger of the estimate and what was noted last. */
  readonly now: Amount;
  /** What was noted last: a note may take back what an earlier one expected. */
  readonly used: Amount;
  /** Whether anybody said what it costs. */
  readonly priced: boolean;
}

/** The attempts of a whole tree of pools: a key is one attempt, and is charged once. */
export interface HeldAttempts {
  /** Whether it is held or settled. Throws `BUDGET_KEY_TAKEN` when another pool of the tree has it. */
  has(key: string, chain: Chain): boolean;
  hold(key: string, chain: Chain, estimate: Spent): void;
  note(key: string, chain: Chain, used: Spent): 'within' | 'over';
  settle(key: string, chain: Chain, used: Spent | undefined): void;
  release(key: string): void;
  /** The settled attempts of which nobody ever said a cost. */
  untold(): number;
}

/** `step` is kept back for every attempt that is held: what it may use before its next note is seen. */
export function heldAttempts(step: Amount): HeldAttempts {
  const held = new Map<string, Held>();
  const settled = new Map<string, Chain>();
  let untold = 0;

  const open = (key: string, chain: Chain, estimate: Spent): Held => {
    const amount = unitsOf(estimate);
    const priced = known(estimate.costUsd) !== undefined;
    const entry = { chain, estimate: amount, now: amount, used: NOTHING, priced };
    held.set(key, entry);
    reserve(chain, combined(amount, step, plus));
    return entry;
  };
  const drop = (key: string, { chain, now }: Held): void => {
    held.delete(key);
    reserve(chain, combined(NOTHING, combined(now, step, plus), minus));
  };
  const charge = (key: string, entry: Held, amount: Amount): void => {
    drop(key, entry);
    settled.set(key, entry.chain);
    for (const limit of entry.chain) limit.settled = combined(limit.settled, amount, plus);
  };

  return {
    untold: () => untold,
    has(key, chain) {
      const owner = held.get(key)?.chain ?? settled.get(key);
      if (owner !== undefined && owner !== chain)
        throw new BudgetError(
          'BUDGET_KEY_TAKEN',
          `"${key}" is an attempt of another pool already`,
          'Give each attempt a key of its own in the whole tree of pools.',
        );
      return owner !== undefined;
    },
    hold(key, chain, estimate) {
      open(key, chain, estimate);
    },
    note(key, chain, spent) {
      if (settled.has(key)) return 'within';
      const before = held.get(key) ?? open(key, chain, {});
      const used = unitsOf(spent, before.used);
      const now = combined(before.estimate, used, Math.max);
      const priced = before.priced || known(spent.costUsd) !== undefined;
      held.set(key, { ...before, used, now, priced });
      reserve(before.chain, combined(now, before.now, minus));
      return isBeyond(before.chain, now, before.estimate) ? 'over' : 'within';
    },
    settle(key, chain, spent) {
      if (settled.has(key)) return;
      const entry = held.get(key) ?? open(key, chain, {});
      if (!entry.priced && known(spent?.costUsd) === undefined) untold += 1;
      charge(key, entry, combined(unitsOf(spent ?? {}, entry.now), entry.used, Math.max));
    },
    release(key) {
      const entry = held.get(key);
      if (!entry) return;
      const { used } = entry;
      if (used.outputTokens > 0 || used.costUsd > 0) charge(key, entry, used);
      else drop(key, entry);
    },
  };
}

function reserve(chain: Chain, change: Amount): void {
  for (const limit of chain) limit.reserved = combined(limit.reserved, change, plus);
}

const plus = (one: number, other: number): number => one + other;
const minus = (one: number, other: number): number => one - other;
