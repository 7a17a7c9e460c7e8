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

/** A number that can be an amount; undefined for what is absent, negative or no number. */
export const known = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** Channel by channel. */
export const combined = (
  one: Amount,
  other: Amount,
  how: (one: number, other: number) => number,
): Amount => ({
  outputTokens: how(one.outputTokens, other.outputTokens),
  costUsd: how(one.costUsd, other.costUsd),
});
