import type { JsonValue } from '@atelier/envelope';
import { TeamError } from '../team-error.ts';
import { byCodePoint } from '../text-order.ts';

/** Levels of nesting that are written. */
const DEEPEST = 64;

/**
 * JSON text in the one form that other writers of the wire use too: keys sorted at every level, a space after each
 * comma and colon, everything beyond ASCII escaped. Throws `WIRE_INVALID_BODY` for what JSON can not hold.
 */
export const pythonJson = (value: JsonValue): string => write(value, 0);

function write(value: JsonValue, depth: number): string {
  if (depth > DEEPEST) throw invalid(`is nested more than ${DEEPEST} levels deep`);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return JSON.stringify(value);
    throw invalid('has a number that is not finite');
  }
  if (typeof value !== 'object') throw invalid(`has a ${typeof value}`);
  if (Array.isArray(value)) return `[${value.map((one) => write(one, depth + 1)).join(', ')}]`;
  const entries = Object.entries(value).sort(([one], [other]) => byCodePoint(one, other));
  return `{${entries.map(([key, one]) => `${text(key)}: ${write(one, depth + 1)}`).join(', ')}}`;
}

const BEYOND_ASCII = /[^\x20-\x7e]/g;

const text = (value: string): string =>
  JSON.stringify(value).replace(
    BEYOND_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const invalid = (what: string): TeamError =>
  new TeamError('WIRE_INVALID_BODY', `a body ${what}`, 'Send plain JSON values only.');
