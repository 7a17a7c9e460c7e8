import { known, type Spent } from './amount.ts';
import { type Tier, tierOf } from './tiers.ts';

/** What attempts may use up: with one for each task, and with every one that there may be. */
interface AttemptRange {
  readonly outputTokens: { readonly low: number; readonly high: number };
  /** US dollars; null where an attempt has no price. */
  readonly costUsd: { readonly low: number; readonly high: number } | null;
}

/** That of the tasks which are done with one model. */
export interface TierRange extends AttemptRange {
  /** Null where the model's name tells none. */
  readonly tier: Tier | null;
  /** Null for a program that chooses for itself. */
  readonly model: string | null;
  readonly tasks: number;
  readonly attempts: number;
}

/** What a plan may use up, in all and by tier. */
export interface EstimateRange extends AttemptRange {
  /** From the cheapest tier up, models without one last. */
  readonly tiers: readonly TierRange[];
}

/** One task that is still to be done. */
export interface RangedTask {
  readonly estimate: Spent;
  readonly attempts: number;
  readonly model?: string | undefined;
}

/** Adds the estimates of tasks up. Linear in tasks. */
export function estimateRange(tasks: Iterable<RangedTask>): EstimateRange {
  const all = sum(undefined);
  const byModel = new Map<string | undefined, Sum>();
  for (const task of tasks) {
    const own = byModel.get(task.model) ?? sum(task.model);
    byModel.set(task.model, own);
    add(all, task);
    add(own, task);
  }
  const tiers = [...byModel.values()].map(tierRange).sort(byTier);
  return { ...rangeOf(all), tiers };
}

interface Sum {
  readonly model: string | undefined;
  readonly outputTokens: { low: number; high: number };
  readonly costUsd: { low: number; high: number };
  priced: boolean;
  tasks: number;
  attempts: number;
}

const sum = (model: string | undefined): Sum => ({
  ...{ model, outputTokens: { low: 0, high: 0 }, costUsd: { low: 0, high: 0 } },
  ...{ priced: true, tasks: 0, attempts: 0 },
});

function add(to: Sum, { estimate, attempts }: RangedTask): void {
  const tokens = known(estimate.outputTokens) ?? 0;
  const cost = known(estimate.costUsd);
  to.priced &&= cost !== undefined;
  to.outputTokens.low += tokens;
  to.outputTokens.high += tokens * attempts;
  to.costUsd.low += cost ?? 0;
  to.costUsd.high += (cost ?? 0) * attempts;
  to.tasks += 1;
  to.attempts += attempts;
}

const rangeOf = ({ outputTokens, costUsd, priced }: Sum): AttemptRange => ({
  outputTokens,
  costUsd: priced ? costUsd : null,
});

const tierRange = (from: Sum): TierRange => ({
  tier: (from.model === undefined ? undefined : tierOf(from.model)) ?? null,
  model: from.model ?? null,
  ...{ tasks: from.tasks, attempts: from.attempts },
  ...rangeOf(from),
});

const ORDER: readonly (Tier | null)[] = ['haiku', 'sonnet', 'opus', null];

const byTier = (one: TierRange, other: TierRange): number =>
  ORDER.indexOf(one.tier) - ORDER.indexOf(other.tier) ||
  ((one.model ?? '') < (other.model ?? '') ? -1 : 1);
