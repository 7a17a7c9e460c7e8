import type { Usage } from '@atelier/engine';
import type { ResultRecord } from './result-record.ts';

/** Tokens and cost as far as the record tells them; what is absent or no amount stays absent, never 0. */
export function usageOf(record: ResultRecord): Usage {
  const usage = record['usage'];
  const tokens = (name: string): number | undefined =>
    typeof usage === 'object' && usage !== null ? amount(Reflect.get(usage, name)) : undefined;
  const found = {
    inputTokens: tokens('input_tokens'),
    outputTokens: tokens('output_tokens'),
    cacheReadTokens: tokens('cache_read_input_tokens'),
    cacheWriteTokens: tokens('cache_creation_input_tokens'),
    costUsd: amount(record['total_cost_usd']),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

const amount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
