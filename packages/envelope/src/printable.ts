const DEFAULT_LENGTH = 200;

const ELLIPSIS = '…';

/** Controls, format and bidi characters, lone surrogates, line and paragraph separators, and whatever draws nothing. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** Asks for the colour form of an emoji; harmless, and common in ordinary text. */
const EMOJI_SELECTOR = '\ufe0f';

/**
 * Makes foreign text safe for one line of a terminal or a log: what would move the cursor, reorder or hide text is
 * shown as an escape such as `\x1b` or `\u{202e}`. The result has at most `maxLength` code points; text that was cut
 * ends in an ellipsis. Never throws; the escaping can not be undone, so store the original.
 */
export function printable(text: unknown, maxLength: number = DEFAULT_LENGTH): string {
  const limit = Number.isNaN(maxLength) ? DEFAULT_LENGTH : Math.floor(maxLength);
  if (limit < 1) return '';
  let shown = '';
  let room = limit;
  let uncut = 0;
  for (const character of textOf(text)) {
    const piece = visible(character);
    // An escape is ASCII; any other piece is one code point.
    const width = piece === character ? 1 : piece.length;
    if (width > room) return shown.slice(0, uncut) + ELLIPSIS;
    shown += piece;
    room -= width;
    if (room > 0) uncut = shown.length;
  }
  return shown;
}

function visible(character: string): string {
  if (character === EMOJI_SELECTOR || !UNSAFE.test(character)) return character;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 2 ? `\\u{${hex}}` : `\\x${hex.padStart(2, '0')}`;
}

/** Objects are named, not rendered: their own `toString` is foreign code, and a list of lists can grow without end. */
function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'object':
      return value === null ? 'null' : textOfObject(value);
    case 'function':
      return '[function]';
    case 'bigint':
      // The decimal digits of a huge integer take more than linear time.
      return BigInt.asIntN(64, value) === value ? String(value) : '[bigint]';
    default:
      return String(value);
  }
}

function textOfObject(value: object): string {
  try {
    if (Array.isArray(value)) return '[list]';
    if (!(value instanceof Error)) return '[object]';
    const { name, message } = value;
    return typeof name === 'string' && typeof message === 'string'
      ? `${name}: ${message}`
      : '[error]';
  } catch {
    return '[object]';
  }
}
