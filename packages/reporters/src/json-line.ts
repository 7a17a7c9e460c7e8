const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * A value as JSON on one line, with its line break. It parses to the same value, half surrogate pairs included, and
 * holds no character that would control a terminal or reorder text. Throws what `JSON.stringify` throws.
 */
export const jsonLine = (value: unknown): string =>
  `${(JSON.stringify(value) ?? 'null').replace(HIDDEN, escaped)}\n`;

/** `JSON.stringify` leaves DEL, the C1 controls and format characters as they are; they only occur inside strings. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
