/** A word of a text, folded, with what stands around it. */
export interface Word {
  /** Lower case, compatibility forms replaced, without what is not seen; never empty. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
  /** Words of one sentence have the same. A line break alone does not end one. */
  readonly sentence: number;
  /** It begins a sentence or a line, or comes after a colon. */
  readonly starts: boolean;
  /** It comes before a mark of punctuation, a line break or the end. */
  ends: boolean;
}

const WORD = /[\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}_'’-]+/gu;

const UNSEEN = /[\p{Default_Ignorable_Code_Point}'’]/gu;

/** No word that is looked for is longer; folding takes more than linear time. */
const LONGEST_WORD = 80;

/** The words of a text in order, in time that grows with its length. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let sentence = 0;
  for (const { 0: raw, index } of text.matchAll(WORD)) {
    const folded = fold(raw);
    if (folded === '') continue;
    const last = words.at(-1);
    const gap = readGap(text, last?.end ?? 0, index);
    if (gap.endsSentence) sentence += 1;
    if (last) last.ends = gap.endsPart;
    const starts = last === undefined || gap.starts;
    words.push({ text: folded, at: index, end: index + raw.length, sentence, starts, ends: true });
  }
  return words;
}

function fold(raw: string): string {
  if (raw.length > LONGEST_WORD) return '-';
  const seen = raw.replace(UNSEEN, '').normalize('NFKC').toLowerCase();
  return trimmed(seen);
}

/** Without hyphens and underscores around it: bullets, rules, emphasis, the dashes of a flag. */
function trimmed(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && isEdge(word[from])) from += 1;
  while (to > from && isEdge(word[to - 1])) to -= 1;
  return word.slice(from, to);
}

const isEdge = (character: string | undefined): boolean => character === '-' || character === '_';

interface Gap {
  readonly endsSentence: boolean;
  readonly starts: boolean;
  readonly endsPart: boolean;
}

const STOPS: ReadonlySet<string> = new Set('.!?;…。！？；');
const CLOSERS: ReadonlySet<string> = new Set('"\'’”)]*`');
const BREAKS: ReadonlySet<string> = new Set('\n\r\u0085\u2028\u2029');
const BULLETS: ReadonlySet<string> = new Set('-*#|>+•');
const PARTS: ReadonlySet<string> = new Set(',:()—–');

/** What lies between two words, read once from left to right. */
function readGap(text: string, from: number, to: number): Gap {
  let endsSentence = false;
  let colon = false;
  let part = false;
  let breaks = 0;
  let stopped = false;
  for (let at = from; at < to; at += 1) {
    const character = text[at] ?? '';
    if (BREAKS.has(character)) {
      // A return and its line feed are one break.
      if (!(character === '\n' && text[at - 1] === '\r')) breaks += 1;
      if (stopped || breaks > 1) endsSentence = true;
    } else if (STOPS.has(character)) stopped = true;
    else if (stopped && character.trim() === '') endsSentence = true;
    else if (breaks > 0 && BULLETS.has(character)) endsSentence = true;
    else if (!CLOSERS.has(character)) stopped = false;
    if (character === ':') colon = true;
    if (PARTS.has(character) || stopped) part = true;
  }
  const starts = endsSentence || colon || breaks > 0;
  return { endsSentence, starts, endsPart: starts || part };
}
