import type { Usage } from '@atelier/engine';

const FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
] as const;

/** Both together. What neither knows stays absent. */
export const sum = (one: Usage, other: Usage): Usage => joined(one, other, (a, b) => a + b);

/** Of each amount the larger. What neither knows stays absent. */
export const larger = (one: Usage, other: Usage): Usage => joined(one, other, Math.max);

const joined = (one: Usage, other: Usage, join: (a: number, b: number) => number): Usage =>
  Object.fromEntries(
    FIELDS.flatMap((name) => {
      const [a, b] = [one[name], other[name]];
      if (a === undefined && b === undefined) return [];
      return [[name, a === undefined || b === undefined ? (a ?? b) : join(a, b)]];
    }),
  );
