/** What terminals, shells and Windows editors put around a line: control sequences, a byte order mark, blanks. */
const NOISE =
  /^(?:\p{Cc}\[[0-?]*[ -/]*[@-~]|\p{Cc}\][^\p{Cc}]*\p{Cc}\\?|\p{Cc}[()][0-9A-Z]|[\p{Cc}\s\ufeff])*$/u;

/** Longer than any noise that is around a line. */
const LONGEST_NOISE = 1_000;

/** In characters. A result is a few thousand; parsing far more can hold the host up. */
const LONGEST_LINE = 1024 * 1024;

/** Objects and lists inside one another; deeper text costs the parser, and all who walk its value, too much. */
const DEEPEST = 500;

/**
 * The object text of every line that holds `mark` and is an object with nothing around it but noise; not parsed
 * yet. Any other line is passed over, also one that merely has an object in it, and one of more than 1 MiB; what
 * was cut is never repaired. Takes time in proportion to the text, whatever the text.
 */
export function* objectTexts(text: string, mark: string): Generator<string> {
  let from = 0;
  for (;;) {
    const hit = text.indexOf(mark, from);
    if (hit < 0) return;
    let start = hit;
    while (start > from && !endsLine(text, start - 1)) start -= 1;
    let end = hit + mark.length;
    while (end < text.length && !endsLine(text, end)) end += 1;
    const found = end - start > LONGEST_LINE ? undefined : framed(text.slice(start, end));
    if (found !== undefined) yield found;
    from = end;
  }
}

/** By code, for a search for one of the two ends would run on through text that holds only the other. */
function endsLine(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x0a || code === 0x0d;
}

function framed(line: string): string | undefined {
  const start = line.indexOf('{');
  const end = line.lastIndexOf('}') + 1;
  if (start < 0 || end <= start) return undefined;
  return isNoise(line.slice(0, start)) && isNoise(line.slice(end))
    ? line.slice(start, end)
    : undefined;
}

const isNoise = (text: string): boolean => text.length <= LONGEST_NOISE && NOISE.test(text);

/**
 * The object that a text is the JSON of; undefined for anything else, and for what is nested more than 500 deep.
 * Never throws.
 */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  if (isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Brackets inside strings do not count. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}
