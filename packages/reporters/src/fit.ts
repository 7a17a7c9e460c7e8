import stringWidth from 'string-width';

const ELLIPSIS = '…';

const ASCII = /^[\x20-\x7e]*$/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Terminal columns a printable text takes. */
export const columnsOf = (text: string): number =>
  ASCII.test(text) ? text.length : stringWidth(text);

/** The text cut to so many columns, never within a character; what was cut ends in an ellipsis. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let shown = '';
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += columnsOf(segment);
    if (used > columns - 1) break;
    shown += segment;
  }
  return shown + ELLIPSIS;
}

/** The text followed by as many spaces as make it so many columns wide. */
export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
