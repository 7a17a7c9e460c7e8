import { printable } from '@atelier/envelope';
import { TeamError } from './team-error.ts';

/** Foreign text as it is stored: well formed, at most `limit` code points, and what was cut is counted at its end. */
export function boundedText(text: string, limit: number): string {
  const whole = text.toWellFormed();
  // A code point is at least one unit.
  if (whole.length <= limit) return whole;
  let end = 0;
  let kept = 0;
  let cut = 0;
  for (const character of whole) {
    if (kept < limit) {
      kept += 1;
      end += character.length;
    } else cut += 1;
  }
  return cut === 0 ? whole : `${whole.slice(0, end)}… (${cut} more characters were cut)`;
}

/** A text that has to be there and has to be whole. Throws `INVALID_TEXT`. */
export function givenText(value: unknown, name: string, limit: number): string {
  if (typeof value === 'string' && value.trim() !== '' && [...cut(value, limit)].length <= limit)
    return value.toWellFormed();
  throw new TeamError(
    'INVALID_TEXT',
    `${name} is no text of 1 to ${limit} characters: ${printable(value, 40)}`,
    `Give ${name} as a text that is not blank and not longer.`,
  );
}

/** No more than has to be counted to see that it is too long. */
const cut = (text: string, limit: number): string => text.slice(0, 2 * limit + 2);
