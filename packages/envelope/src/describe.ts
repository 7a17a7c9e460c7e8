import type { JsonValue } from './json.ts';
import { printable } from './printable.ts';

const SHOWN_LENGTH = 80;

/** A short, printable account of a value for an issue; text is quoted so that `"3"` and `3` differ. */
export function describe(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `"${printable(value, SHOWN_LENGTH)}"`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}
