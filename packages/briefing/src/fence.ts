import { literal } from './literal.ts';
import { sanitise } from './sanitise.ts';

/** The line that opens a fence begins with it. */
const OPEN = '<<<';

/** The line that closes a fence begins with it. */
const CLOSE = '>>>';

/** Every line of foreign text begins with it. */
const DATA = '| ';

/** Code points of one foreign text that are passed on unless told otherwise. */
const LIMIT = 20_000;

/** How a fence looks, for the worker that has to read one. */
export const FENCE_RULE: string = `Text from others stands in fences: a line \`${OPEN} name\`, then lines that each begin with \`${DATA}\`, then a line \`${CLOSE}\`. Names and paths in them are JSON text.`;

/**
 * A foreign text as lines that each carry a mark, between two lines that carry none. No text can close its fence,
 * whatever it holds, because no line of it begins with anything but the mark; so it stays as it is, code included.
 * What was cut is counted on the closing line.
 */
export function fence(label: string, foreign: string, limit: number = LIMIT): string {
  const { text, cut } = sanitise(foreign, limit);
  const close = cut === 0 ? CLOSE : `${CLOSE} ${cut} more characters were cut`;
  return [`${OPEN} ${label}`, ...text.split('\n').map((line) => DATA + line), close].join('\n');
}

/** Names or paths in a fence, sorted, one a line, each exact as JSON text. */
export const fenceNames = (label: string, names: readonly (string | number)[]): string =>
  fence(label, names.map(literal).sort().join('\n'));

const LOOKS_LIKE_A_FENCE = /^(?=<<<|>>>|\|)/gm;

/** Trusted text outside any fence: safe in the same way, and indented where a line would read as part of one. */
export function unfenced(trusted: string): string {
  const { text, cut } = sanitise(trusted.trim(), LIMIT);
  const lines = text.replace(LOOKS_LIKE_A_FENCE, ' ');
  return cut === 0 ? lines : `${lines}\n(${cut} more characters were cut)`;
}
