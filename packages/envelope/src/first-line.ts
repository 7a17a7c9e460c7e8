/** LF, VT, FF, CR, FS, GS, RS, NEL, line separator, paragraph separator. */
const BREAKS = [0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029];

const LINE_BREAK = new RegExp(`[${String.fromCodePoint(...BREAKS)}]`, 'u');

/**
 * The text before the first line break, where every break that Python's `splitlines` knows counts.
 * Splitting at LF alone would let a reader in another language see a different first line.
 */
export function firstLine(text: string): string {
  const end = text.search(LINE_BREAK);
  return end === -1 ? text : text.slice(0, end);
}
