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

/** Code points of the notes of another worker: what its own briefing allowed it. */
export const NOTES_LIMIT = 2000;

/** How a fence looks, for the worker that has to read one. */
export const FENCE_RULE: string = `Text from others stands in fences: a line \`${OPEN} name\`, then lines that each begin with \`${DATA}\`, then a line \`${CLOSE}\`. Names and paths in them are JSON text.`;

/**
 * A foreign text as lines that each carry a mark, between two lines that carry none. No text can close its fence,
 * whatever it holds, because no line of it begins with anything but the mark; so it stays as it is, code included.
 * What was cut is counted on the closing line.
 */
export function fence(label: string, foreign: string, limit: number = LIMIT): string {
  const { text, cut } = sanitise(foreign, limit);
  return between(label, text.split('\n'), cutNote(cut, 'characters'));
}

/** Names or paths in a fence, sorted, one a line, each exact as JSON text: whole, or left out and counted. */
export function fenceNames(
  label: string,
  names: readonly (string | number)[],
  limit: number = LIMIT,
): string {
  let room = limit;
  const lines = names
    .map(literal)
    .sort()
    .filter((line) => {
      if (line.length > room) return false;
      room -= line.length;
      return true;
    });
  return between(label, lines, cutNote(names.length - lines.length, 'names'));
}

const between = (label: string, lines: readonly string[], note: string): string =>
  [`${OPEN} ${label}`, ...lines.map((line) => DATA + line), CLOSE + note].join('\n');

const cutNote = (cut: number, what: string): string =>
  cut === 0 ? '' : ` ${cut} more ${what} were cut`;

const LOOKS_LIKE_A_FENCE = /^(?=<<<|>>>|\|)/gm;

/** Trusted text outside any fence: safe in the same way, and indented where a line would read as part of one. */
export function unfenced(trusted: string): string {
  const { text, cut } = sanitise(trusted.trim(), LIMIT);
  const lines = text.replace(LOOKS_LIKE_A_FENCE, ' ');
  return cut === 0 ? lines : `${lines}\n(${cut} more characters were cut)`;
}
