/** What terminals, shells and Windows editors put around a line: control sequences, a byte order mark, blanks. */
const NOISE =
  /^(?:\p{Cc}\[[0-?]*[ -/]*[@-~]|\p{Cc}\][^\p{Cc}]*\p{Cc}\\?|\p{Cc}[()][0-9A-Z]|[\p{Cc}\s\ufeff])*$/u;

/** Longer than any noise that is around a line. */
const LONGEST_NOISE = 1_000;

/**
 * Every line that holds one complete JSON object and nothing else but noise. Any other line is passed over,
 * also one that merely has an object in it; what was cut is never repaired.
 */
export function* jsonObjectLines(text: string): Generator<Record<string, unknown>> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const object = objectOf(line);
    if (object) yield object;
  }
}

function objectOf(line: string): Record<string, unknown> | undefined {
  const start = line.indexOf('{');
  const end = line.lastIndexOf('}') + 1;
  if (start < 0 || end <= start) return undefined;
  if (!isNoise(line.slice(0, start)) || !isNoise(line.slice(end))) return undefined;
  return jsonObject(line.slice(start, end));
}

const isNoise = (text: string): boolean => text.length <= LONGEST_NOISE && NOISE.test(text);

/** The object that a text is the JSON of; undefined for anything else. Never throws. */
export function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
