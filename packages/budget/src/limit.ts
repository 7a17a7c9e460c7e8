import { type Amount, combined, known, type Spent, unitsOf, unitsOfUsd } from './amount.ts';
import { BudgetError } from './budget-error.ts';

/** What a pool is allowed in all. A kind that is absent is not limited. */
export interface Totals {
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

/** One pool's ceiling and sums, in whole tokens and billionths of a dollar. Without limit: infinite. */
export interface Limit {
  readonly ceiling: Amount;
  settled: Amount;
  /** What is held for attempts that run, and the step that is kept back for each. */
  reserved: Amount;
}

const HEADROOM = 0.7;

/** Throws `INVALID_BUDGET` for a total or a headroom that can not be meant. */
export function ceilingOf({ outputTokens, costUsd, headroom = HEADROOM }: Totals): Amount {
  if (!(headroom > 0 && headroom <= 1)) throw invalid('headroom', headroom, 'above 0, at most 1');
  for (const [name, value] of Object.entries({ outputTokens, costUsd }))
    if (value !== undefined && !(Number.isFinite(value) && value > 0))
      throw invalid(name, value, 'above 0');
  return {
    outputTokens: Math.floor((outputTokens ?? Number.POSITIVE_INFINITY) * headroom),
    costUsd: unitsOfUsd((costUsd ?? Number.POSITIVE_INFINITY) * headroom),
  };
}

const invalid = (name: string, value: unknown, wanted: string): BudgetError =>
  new BudgetError(
    'INVALID_BUDGET',
    `${name} must be ${wanted}, got ${String(value)}`,
    'Leave it out for no limit.',
  );

/** What is left under a limit; below 0 when it is passed. */
export const leftOf = ({ ceiling, settled, reserved }: Limit): Amount =>
  combined(combined(ceiling, settled, minus), reserved, minus);

/** The first limit of a chain that an estimate would pass, in tokens and dollars. */
export function firstShortage(
  chain: readonly Limit[],
  estimate: Spent,
  step: Amount,
): Shortage | undefined {
  const asked = unitsOf(estimate);
  for (const limit of chain)
    for (const [kind, channel, unit] of KINDS) {
      const ceiling = limit.ceiling[channel];
      if (ceiling === Number.POSITIVE_INFINITY) continue;
      const left = leftOf(limit)[channel];
      const told = known(estimate[channel]);
      if (told !== undefined && asked[channel] + step[channel] <= left) continue;
      return {
        kind,
        ceiling: ceiling / unit,
        left: Math.max(0, left) / unit,
        asked: told ?? null,
      };
    }
  return undefined;
}

/** Whether a limit is passed in a channel in which an attempt is past its estimate: no other answers for it. */
export const isBeyond = (chain: readonly Limit[], now: Amount, estimate: Amount): boolean =>
  KINDS.some(
    ([, channel]) =>
      now[channel] > estimate[channel] && chain.some((limit) => leftOf(limit)[channel] < 0),
  );

const KINDS = [
  ['tokens', 'outputTokens', 1],
  ['money', 'costUsd', unitsOfUsd(1)],
] as const;

const minus = (one: number, other: number): number => one - other;
