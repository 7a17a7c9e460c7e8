import { printable } from '@atelier/envelope';
import { count } from './count.ts';

interface Range {
  readonly outputTokens: { readonly low: number; readonly high: number };
  /** US dollars; null where a model has no price. */
  readonly costUsd: { readonly low: number; readonly high: number } | null;
}

/** What a plan may use, by estimate. */
export interface SpendRange extends Range {
  /** The same by tier and model, where it is known which task is given which. */
  readonly tiers?: readonly (Range & {
    readonly tier: string | null;
    /** Null for a program that chooses for itself. */
    readonly model: string | null;
    readonly tasks: number;
  })[];
}

/** More tiers and models are only counted. */
const LISTED = 10;

/** One line for the whole; with several models one more for each. */
export function spendLines({ tiers = [], ...whole }: SpendRange): string[] {
  const rest = tiers.length - LISTED;
  const priced = tiers.filter(({ costUsd }) => costUsd !== null);
  const some =
    whole.costUsd === null && priced.length > 0
      ? [
          '  No sum of dollars is told: it would leave out what has no price. Models with a price are below.',
        ]
      : [];
  return [
    `By estimate ${rangeText(whole)}: with one attempt for each task, and with every attempt there may be.`,
    ...some,
    ...(tiers.length > 1 ? tiers.slice(0, LISTED) : []).map(
      ({ tier, model, tasks, ...range }) =>
        `  ${tierName(tier, model)}, ${count(tasks, 'task', 'tasks')}: ${rangeText(range)}`,
    ),
    ...(rest > 0 ? [`  and ${count(rest, 'model', 'models')} more`] : []),
  ];
}

function rangeText({ outputTokens, costUsd }: Range): string {
  const tokens = (value: number) => Math.round(value).toLocaleString('en-US');
  const cost = costUsd
    ? `$${costUsd.low.toFixed(2)} to $${costUsd.high.toFixed(2)}`
    : 'at a cost that is not known';
  return `${tokens(outputTokens.low)} to ${tokens(outputTokens.high)} output tokens, ${cost}`;
}

function tierName(tier: string | null, model: string | null): string {
  const named = model === null ? 'a model of the program’s own choice' : printable(model, 60);
  return tier === null ? named : `${printable(tier)} (${named})`;
}
