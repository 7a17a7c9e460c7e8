import { printable } from '@atelier/envelope';
import {
  BY_FIRST_WORD,
  FORGED_MARKS,
  HOST_NAME,
  type InstructionKind,
} from './instruction-patterns.ts';
import { matchAt } from './word-pattern.ts';
import { type Word, wordsOf } from './words-of.ts';

/** A place where a foreign text asks for what is not its own to ask for. */
export interface Excerpt {
  readonly kind: InstructionKind;
  /** The place with a little around it: one line, printable, of at most 160 code points. */
  readonly text: string;
}

/** UTF-16 units that are read: as much of one text as a briefing passes on, and no more, for the host waits for it. */
const READ = 20_000;

/** UTF-16 units shown before what was found. */
const BEFORE = 30;

const EXCERPT = 160;

/**
 * Notices where a foreign text speaks to the host: the first such place of each kind, in the order of the text. An aid
 * for people who read the journal afterwards, and no defence: what is worded otherwise passes, what is innocent may be
 * noticed, and nothing may be decided by it. Takes any text, in time that grows with its length.
 */
export function foreignInstructions(text: string): readonly Excerpt[] {
  const read = text.slice(0, READ);
  const found = new Map<InstructionKind, Place>();
  const note = (kind: InstructionKind, place: Place): void => {
    const known = found.get(kind);
    if (!known || place.at < known.at) found.set(kind, place);
  };
  for (const [kind, place] of spoken(wordsOf(read))) note(kind, place);
  for (const mark of FORGED_MARKS)
    for (const { 0: match, index } of read.matchAll(mark))
      note('fence', { at: index, end: index + match.length });
  return [...found]
    .sort(([, a], [, b]) => a.at - b.at)
    .map(([kind, place]) => ({ kind, text: excerpt(text, place) }));
}

interface Place {
  readonly at: number;
  readonly end: number;
}

function* spoken(words: readonly Word[]): Generator<[InstructionKind, Place]> {
  for (const [index, word] of words.entries()) {
    if (word.text.startsWith(HOST_NAME)) yield ['name', word];
    for (const { kind, pattern } of BY_FIRST_WORD.get(word.text) ?? []) {
      const last = matchAt(words, index, pattern);
      if (last) yield [kind, { at: word.at, end: last.end }];
    }
  }
}

const SPACES = /\s+/gu;

/** An excerpt that begins or ends within a pair of surrogates shows the half as an escape. */
const excerpt = (text: string, { at, end }: Place): string =>
  printable(
    text
      .slice(Math.max(0, at - BEFORE), end + EXCERPT)
      .replace(SPACES, ' ')
      .trim(),
    EXCERPT,
  );
