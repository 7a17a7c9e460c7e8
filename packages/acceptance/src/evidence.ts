import type { JsonValue } from '@atelier/envelope';

/** Evidence as an object: what is none, an older host’s say, counts as empty. */
export const evidenceObject = (evidence: JsonValue | undefined): JsonObject =>
  isObject(evidence) ? evidence : {};

type JsonObject = { readonly [key: string]: JsonValue };

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The commit of accepted work; work without one changed nothing. */
export function commitIn(evidence: JsonValue | undefined): string | undefined {
  const commit = evidenceObject(evidence)['commit'];
  return typeof commit === 'string' ? commit : undefined;
}
