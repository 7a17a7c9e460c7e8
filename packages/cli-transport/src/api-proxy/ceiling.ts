import type { Usage } from '@atelier/engine';

/** What one worker may use in all, whatever the run may spend. In tokens. */
export interface Ceiling {
  readonly outputTokens: number;
  /** Those that were read from a cache count as a tenth of one. */
  readonly inputTokens: number;
}

/** Why a worker is past its ceiling; undefined while it is not. */
export function beyond(
  { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 }: Usage,
  ceiling: Ceiling,
): string | undefined {
  const input = inputTokens + cacheWriteTokens + cacheReadTokens / 10;
  if (outputTokens > ceiling.outputTokens) return text(ceiling.outputTokens, 'output');
  return input > ceiling.inputTokens ? text(ceiling.inputTokens, 'input') : undefined;
}

const text = (most: number, kind: string): string =>
  `it ran past the ${most} ${kind} tokens that any attempt may use`;
