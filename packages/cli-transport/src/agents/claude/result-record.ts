import { parseOutput } from './output-lines.ts';

/** A record of type `result`, as the program printed it. Every field is untrusted. */
export type ResultRecord = Readonly<Record<string, unknown>>;

/** What the output holds: the single result record, or why there is no such thing. */
type ResultReading =
  | { readonly kind: 'one'; readonly record: ResultRecord }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly count: number };

const RESULT = /"type"[ \t]*:[ \t]*"result"/g;

/**
 * Finds the result record in what the program printed: an object, a list of events, or one JSON value a line. Two
 * of them are not one, even if they are the same. Never throws.
 */
export function readResult(stdout: string): ResultReading {
  const results = parseOutput(stdout, RESULT).flat().filter(isResult);
  const [record] = results;
  if (!record) return { kind: 'none' };
  return results.length === 1
    ? { kind: 'one', record }
    : { kind: 'several', count: results.length };
}

/** The structured output of a record that says success in every field; undefined for any other. */
export function replyOf(record: ResultRecord): unknown {
  if (record['subtype'] !== 'success' || record['is_error'] !== false) return undefined;
  return record['structured_output'] ?? undefined;
}

const isResult = (value: unknown): value is ResultRecord =>
  typeof value === 'object' && value !== null && 'type' in value && value.type === 'result';
