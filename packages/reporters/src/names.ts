import { printable } from '@atelier/envelope';

/** Names listed before they are only counted. */
const LISTED = 3;

/** A few names on one line, and how many more there are. Empty when there is none. */
export function names(texts: readonly unknown[]): string {
  const shown = texts.slice(0, LISTED).map((text) => printable(text));
  const rest = texts.length - LISTED;
  return shown.join(', ') + (rest > 0 ? ` +${rest}` : '');
}
