import { markedLines } from '../marked-lines.ts';

/** Of the lines that look like a record and are none: far more than any program prints. */
const MOST_BROKEN = 500;

/**
 * The JSON objects and lists in what a program printed that have `mark`, which must be global, in their text: the whole
 * text as one, else one per line. The rule for noise: a line that is neither as a whole is skipped, after a second look
 * without byte order mark and control sequences. Nothing is looked for inside a line, and cut text is never repaired. After
 * some hundreds of marked lines that only look like JSON no further one is read.
 */
export function parseOutput(text: string, mark: RegExp): unknown[] {
  const whole = parsed(text);
  if (whole !== undefined) return [whole];
  const found: unknown[] = [];
  let broken = 0;
  for (const line of markedLines(text, mark)) {
    const bare = looksWhole(line) ? undefined : withoutControls(line);
    if (bare !== undefined && !looksWhole(bare)) continue;
    const value =
      bare === undefined ? (parsed(line) ?? parsed(withoutControls(line))) : parsed(bare);
    if (value !== undefined) found.push(value);
    else broken += 1;
    if (broken > MOST_BROKEN) break;
  }
  return found;
}

/** In characters: how much of each end is looked through for what a program says without a record. */
const END = 32 * 1024;

/**
 * The lines that do not even begin like JSON: what a program says when it does not get as far as a record. Of a long text
 * those near its beginning and its end.
 */
export function plainLines(text: string): string[] {
  return ends(text)
    .split('\n')
    .map((line) => withoutControls(line).trim())
    .filter((line) => line !== '' && !isJsonLike(line));
}

/** Whole lines only: a part of one may begin like something else. */
function ends(text: string): string {
  if (text.length <= 2 * END) return text;
  const head = text.slice(0, END);
  const tail = text.slice(-END);
  const first = tail.indexOf('\n');
  return head.slice(0, head.lastIndexOf('\n') + 1) + (first < 0 ? '' : tail.slice(first + 1));
}

/** As JSON would begin and end that is an object or a list. */
const looksWhole = (line: string): boolean => {
  const text = line.trim();
  return isJsonLike(text) && /[}\]]$/.test(text);
};

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
