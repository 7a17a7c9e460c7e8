import { parseAbandon, printable } from '@atelier/envelope';

/** Code points kept at either end of notes that are too long. */
const KEPT = 200;

/**
 * The notes of a reply as lines, cut in their middle where they have more than 400 code points. Of an abandonment the
 * first line, which says why, is never cut. Line breaks stay; every other control character is shown as an escape.
 */
export function cutNotes(notes: unknown, status: string): readonly string[] {
  if (typeof notes !== 'string') return [];
  const reason = status === 'abandoned' ? abandonLine(notes) : '';
  if (reason === '') return lines(cut(notes));
  const rest = notes.slice(reason.length).replace(/^(?:\r\n|.)/su, '');
  return [printable(reason, Number.POSITIVE_INFINITY), ...lines(cut(rest))];
}

function abandonLine(notes: string): string {
  const said = parseAbandon(notes);
  return said ? `ABANDON: ${said.category}:${said.reason}` : '';
}

/** Counts what a reader would count: no pair of surrogates is cut in two. */
function cut(text: string): string {
  if (text.length <= 2 * KEPT) return text;
  let length = 0;
  for (const _ of text) length += 1;
  const more = length - 2 * KEPT;
  if (more <= 0) return text;
  const first = [...text.slice(0, 2 * KEPT)].slice(0, KEPT).join('');
  const last = [...text.slice(-2 * KEPT)].slice(-KEPT).join('');
  return `${first}…(+${more} more)…${last}`;
}

const lines = (text: string): string[] =>
  text === ''
    ? []
    : text.split(/\r\n|[\n\r]/u).map((line) => printable(line, Number.POSITIVE_INFINITY));
