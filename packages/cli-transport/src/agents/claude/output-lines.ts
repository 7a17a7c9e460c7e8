/**
 * The JSON objects and lists in what a program printed that have `mark` in their text: the whole text as one, else one
 * per line. The rule for noise: a line that is neither as a whole is skipped, after a second look without byte order
 * mark and control sequences. Nothing is looked for inside a line, and cut text is never repaired.
 */
export function parseOutput(text: string, mark: string): unknown[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  return text
    .split('\n')
    .filter((line) => line.includes(mark))
    .map((line) => parsed(line) ?? parsed(withoutControls(line)))
    .filter((value) => value !== undefined);
}

/** The lines that do not even begin like JSON: what a program says when it does not get as far as a record. */
export function plainLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => withoutControls(line).trim())
    .filter((line) => line !== '' && !isJsonLike(line));
}

const isJsonLike = (text: string): boolean => /^\s*[[{]/.test(text);

function parsed(text: string): object | undefined {
  if (!isJsonLike(text)) return undefined;
  try {
    // Unlike JSON, `trim` takes a byte order mark for white space.
    return JSON.parse(text.trim()) as object;
  } catch {
    return undefined;
  }
}

const ESCAPE = '\\u001b';
const BELL = '\\u0007';
// Linear: no part can match what may begin the next one.
const SEQUENCE = new RegExp(
  [
    `${ESCAPE}\\[[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^${ESCAPE}${BELL}]*(?:${BELL}|${ESCAPE}\\\\)`,
    '[^\\P{Cc}\\t]',
  ].join('|'),
  'gu',
);

const withoutControls = (line: string): string => line.replace(SEQUENCE, '');
