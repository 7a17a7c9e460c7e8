import { printable } from '@atelier/envelope';

const SHOWN_LENGTH = 60;

/** A text as messages quote it: printable, cut, in double quotes. */
export const quoted = (text: string): string => `"${printable(text, SHOWN_LENGTH)}"`;

/** What was found where something else was expected; text is quoted so that `"3"` and `3` differ. */
export function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' && value !== null ? 'an object' : printable(value, SHOWN_LENGTH);
}
