import type { Usage } from '@atelier/engine';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Tokens and cost as far as a message or the final record tells them; what is absent or no amount stays absent, never 0.
 * A record counts twice, and each count leaves out some answers that broke off, so the larger one of each amount is
 * taken. A cost of 0 beside tokens is a price that the program does not know.
 */
export function usageOf(record: Fields): Usage {
  const usage = fieldsOf(record['usage']);
  const models = Object.values(fieldsOf(record['modelUsage'])).map(fieldsOf);
  const tokens = (name: string, ofModel: string) =>
    larger([
      amount(usage[name]),
      ...(models.length === 0 ? [] : [sum(models.map((model) => amount(model[ofModel])))]),
    ]);
  const found = {
    inputTokens: tokens('input_tokens', 'inputTokens'),
    outputTokens: tokens('output_tokens', 'outputTokens'),
    cacheReadTokens: tokens('cache_read_input_tokens', 'cacheReadInputTokens'),
    cacheWriteTokens: tokens('cache_creation_input_tokens', 'cacheCreationInputTokens'),
  };
  const costUsd = amount(record['total_cost_usd']);
  const isPriced = costUsd !== 0 || !Object.values(found).some((one) => (one ?? 0) > 0);
  return Object.fromEntries(
    Object.entries({ ...found, costUsd: isPriced ? costUsd : undefined }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

const larger = (amounts: readonly (number | undefined)[]): number | undefined => {
  const known = amounts.filter((one) => one !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};

/** Undefined when one of them is: a part is no sum. */
const sum = (amounts: readonly (number | undefined)[]): number | undefined =>
  amounts.reduce<number | undefined>(
    (all, one) => (all === undefined || one === undefined ? undefined : all + one),
    0,
  );

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
