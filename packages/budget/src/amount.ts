/** What an attempt uses up, as far as it is known. What is absent is unknown, never nothing. */
export interface Spent {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** US dollars. */
  readonly costUsd?: number;
}

/** The two things that are limited: output tokens and US dollars. */
export interface Amount {
  readonly outputTokens: number;
  readonly costUsd: number;
}

export const NOTHING: Amount = Object.freeze({ outputTokens: 0, costUsd: 0 });

/** No attempt uses more of anything. Beyond it sums would swallow the small amounts of others. */
const MOST = 1e12;

/** A number that can be an amount; undefined for what is absent, negative, absurdly large or no number. */
export const known = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value <= MOST ? value : undefined;

/** Channel by channel. */
export const combined = (
  one: Amount,
  other: Amount,
  how: (one: number, other: number) => number,
): Amount => ({
  outputTokens: how(one.outputTokens, other.outputTokens),
  costUsd: how(one.costUsd, other.costUsd),
});

const PER_DOLLAR = 1e9;

/** Billionths of a dollar: fractions of dollars do not add up exactly, and every list price is a multiple of one. */
export const unitsOfUsd = (usd: number): number => Math.round(usd * PER_DOLLAR);

/** What is known, in whole tokens and billionths of a dollar; `otherwise` for what is not. */
export const unitsOf = (spent: Spent, otherwise: Amount = NOTHING): Amount => {
  const tokens = known(spent.outputTokens);
  const usd = known(spent.costUsd);
  return {
    outputTokens: tokens === undefined ? otherwise.outputTokens : Math.ceil(tokens),
    costUsd: usd === undefined ? otherwise.costUsd : unitsOfUsd(usd),
  };
};

/** Units as a caller counts: tokens and dollars. */
export const counted = ({ outputTokens, costUsd }: Amount): Amount => ({
  outputTokens,
  costUsd: costUsd / PER_DOLLAR,
});
