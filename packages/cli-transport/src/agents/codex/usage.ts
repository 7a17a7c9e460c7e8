import type { Usage } from '@atelier/engine';

/**
 * Tokens as far as a turn's usage tells them; what is absent or no amount stays absent, never 0. The provider counts
 * cached tokens among those of the input, and here they are apart. No cost is told.
 */
export function usageOf(told: unknown): Usage {
  const amount = (name: string): number | undefined => {
    const value = typeof told === 'object' && told !== null ? Reflect.get(told, name) : undefined;
    return Number.isFinite(value) && value >= 0 ? value : undefined;
  };
  const input = amount('input_tokens');
  const cacheReadTokens = amount('cached_input_tokens');
  const cacheWriteTokens = amount('cache_write_input_tokens');
  const apart = (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0);
  const found = {
    inputTokens: input === undefined ? undefined : Math.max(0, input - apart),
    outputTokens: amount('output_tokens'),
    ...{ cacheReadTokens, cacheWriteTokens },
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}
