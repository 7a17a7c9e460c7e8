import { printable } from '@atelier/envelope';

/** Text that was made safe to stand in a fence. */
export interface SafeText {
  readonly text: string;
  /** Characters that were left out at its end. */
  readonly cut: number;
}

const RETURNS = /\r\n?/g;

const BETWEEN_TABS_AND_BREAKS = /[^\t\n]+/g;

/**
 * Foreign text as data: LF is its only line break, half surrogate pairs are U+FFFD, it is in normal form C, and what
 * would control a terminal, or hide or reorder text, is shown as an escape. At most `limit` code points are kept,
 * counted before the last two steps, so that these take no more time than the limit allows.
 */
export function sanitise(foreign: string, limit: number): SafeText {
  const text = foreign.toWellFormed().replace(RETURNS, '\n');
  let end = 0;
  let cut = 0;
  let kept = 0;
  for (const character of text) {
    if (kept < limit) {
      kept += 1;
      end += character.length;
    } else cut += 1;
  }
  return { text: text.slice(0, end).normalize().replace(BETWEEN_TABS_AND_BREAKS, visible), cut };
}

const visible = (text: string): string => printable(text, Number.POSITIVE_INFINITY);
