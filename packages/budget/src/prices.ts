import { known, type Spent } from './amount.ts';
import { MODELS, parseTier } from './tiers.ts';

/** The day of the list prices below. They are for estimates and for programs that tell no cost. */
export const PRICES_AS_OF = '2026-11-29';

/** US dollars for a million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Of the five-minute cache. */
  readonly cacheWrite: number;
}

const price = (input: number, output: number, cacheRead = input * 0.1): Price =>
  Object.freeze({ input, output, cacheRead, cacheWrite: input * 1.25 });

/** Those of the 5-5 models are what Claude Code 2.1.332 reports for known numbers of tokens. */
const PRICES: ReadonlyMap<string, Price> = new Map([
  ['claude-opus-5-5', price(4, 20, 0.2)],
  ['claude-sonnet-5-5', price(2, 10, 0.1)],
  ['claude-haiku-5-5', price(0.1, 0.5)],
  ['claude-opus-4-8', price(5, 25)],
  ['claude-opus-4-7', price(5, 25)],
  ['claude-opus-4-6', price(5, 25)],
  ['claude-sonnet-4-6', price(3, 15)],
  ['claude-sonnet-4-5', price(3, 15)],
  ['claude-haiku-4-5', price(1, 5)],
]);

/** A model's name without the date behind it; that of a tier is its model. */
export function canonicalModel(model: string): string {
  const word = model.trim().toLowerCase();
  const tier = parseTier(word);
  return tier ? MODELS[tier] : word.replace(/-\d{6,8}$/u, '');
}

/**
 * What a model costs by list price, in US dollars. Null where the model has no price here, or nothing is known of the
 * tokens: never 0 for what is not known. Classes of tokens that are absent are left out.
 */
export function priceOf(model: string | undefined, spent: Spent): number | null {
  const prices = model === undefined ? undefined : PRICES.get(canonicalModel(model));
  if (!prices) return null;
  const parts = [
    [spent.inputTokens, prices.input],
    [spent.outputTokens, prices.output],
    [spent.cacheReadTokens, prices.cacheRead],
    [spent.cacheWriteTokens, prices.cacheWrite],
  ] as const;
  const told = parts.filter(([tokens]) => known(tokens) !== undefined);
  if (told.length === 0) return null;
  return told.reduce((sum, [tokens, each]) => sum + (tokens ?? 0) * each, 0) / 1_000_000;
}

/** What an attempt cost: what its program told, else the list price; null where neither is known. */
export const costOf = (model: string | undefined, spent: Spent): number | null =>
  known(spent.costUsd) ?? priceOf(model, spent);

/**
 * What an attempt counts as against a limit: its cost, and no less than the list price of its tokens, for a program's own
 * word is no proof. Null where nothing is known.
 */
export function chargeOf(model: string | undefined, spent: Spent): number | null {
  const list = priceOf(model, spent);
  const told = costOf(model, spent);
  return list === null || told === null ? told : Math.max(list, told);
}
