import { known, type Spent } from './amount.ts';
import { priceOf } from './prices.ts';
import { type Tier, tierOf } from './tiers.ts';

const OUTPUT_TOKENS: Readonly<Record<Tier, number>> = { haiku: 2_000, sonnet: 6_000, opus: 12_000 };

/** Of a model whose name tells no tier. */
const UNKNOWN_MODEL = 6_000;

/** Fewer earlier attempts say nothing. */
const LEAST_SAMPLES = 5;

/**
 * How much input an attempt reads for each token that it writes, cached and not: for the price of an estimate alone.
 * Agents read their own context again with every turn.
 */
const READ_PER_OUTPUT = 20;

/** What earlier attempts of the same kind have used. */
export interface Sample {
  /** What made them alike, for example model, phase and role in one text. */
  readonly kind: string;
  readonly spent: Spent;
}

/**
 * What an attempt is expected to use: three quarters of its like used less, where there were enough of them; else what the
 * tier of the model stands for. The cost is absent where the model has no price.
 */
export function estimateOf(
  model: string | undefined,
  kind: string,
  samples: readonly Sample[] = [],
): Spent {
  const alike = samples.filter((sample) => sample.kind === kind).map(({ spent }) => spent);
  const tier = model === undefined ? undefined : tierOf(model);
  const outputTokens =
    upperQuartile(alike.map((spent) => spent.outputTokens)) ??
    (tier === undefined ? UNKNOWN_MODEL : OUTPUT_TOKENS[tier]);
  const costUsd =
    upperQuartile(alike.map((spent) => spent.costUsd)) ??
    priceOf(model, { outputTokens, cacheReadTokens: outputTokens * READ_PER_OUTPUT });
  return { outputTokens, ...(costUsd === null ? {} : { costUsd }) };
}

function upperQuartile(values: readonly unknown[]): number | undefined {
  const told = values.flatMap((value) => known(value) ?? []).sort((a, b) => a - b);
  return told.length < LEAST_SAMPLES ? undefined : told[Math.ceil(told.length * 0.75) - 1];
}
