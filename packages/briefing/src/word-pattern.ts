import type { Word } from './words-of.ts';

interface Step {
  /** Words that may stand before it. */
  readonly gap: number;
  readonly words: ReadonlySet<string>;
  /** It begins a line or comes after a colon. */
  readonly isStart: boolean;
}

/** A few words in their order, in one sentence. */
export interface WordPattern {
  readonly first: ReadonlySet<string>;
  readonly steps: readonly Step[];
  /** It begins a sentence, a line, or what follows a colon. */
  readonly isStart: boolean;
  /** Its last word comes before a mark of punctuation or a line break. */
  readonly isEnd: boolean;
}

/**
 * Reads a pattern: words apart by spaces, alternatives apart by `|`, `~n` where up to n words may stand between, `^`
 * before a word that begins a line or comes after a colon (before the first: after some words of politeness, too), `$`
 * after what ends a part of a sentence.
 */
export function wordPattern(source: string): WordPattern {
  const steps: Step[] = [];
  let gap = 0;
  let isStart = false;
  for (const piece of source.split(' ')) {
    if (piece === '$') continue;
    if (piece === '^') {
      isStart = true;
      continue;
    }
    if (piece.startsWith('~')) {
      gap = Number(piece.slice(1));
      continue;
    }
    steps.push({ gap, words: new Set(piece.split('|')), isStart });
    gap = 0;
    isStart = false;
  }
  const [first, ...later] = steps;
  return {
    first: first?.words ?? new Set(),
    steps: later,
    isStart: first?.isStart ?? false,
    isEnd: source.endsWith('$'),
  };
}

/** Words that an order may begin with before its verb. */
const FILLERS: ReadonlySet<string> = new Set(
  'please now then and so also just simply kindly immediately instead finally you must should shall will always'.split(
    ' ',
  ),
);

/** Fillers looked past. */
const MOST_FILLERS = 4;

/** The last word of a match that begins with the word at `index`; undefined where there is none. */
export function matchAt(
  words: readonly Word[],
  index: number,
  { first, steps, isStart, isEnd }: WordPattern,
): Word | undefined {
  const word = words[index];
  if (!word || !first.has(word.text) || (isStart && !isOrder(words, index))) return undefined;
  return rest(words, index, steps, isEnd);
}

/** No more steps and gaps than the pattern has, so that a match takes a bounded time. */
function rest(
  words: readonly Word[],
  index: number,
  [step, ...later]: readonly Step[],
  isEnd: boolean,
): Word | undefined {
  const last = words[index];
  if (!step) return isEnd && !last?.ends ? undefined : last;
  for (let next = index + 1; next <= index + 1 + step.gap; next += 1) {
    const word = words[next];
    if (word?.sentence !== last?.sentence) return undefined;
    if (!word || !step.words.has(word.text) || (step.isStart && !word.starts)) continue;
    const found = rest(words, next, later, isEnd);
    if (found) return found;
  }
  return undefined;
}

function isOrder(words: readonly Word[], index: number): boolean {
  for (let at = index; at >= Math.max(0, index - MOST_FILLERS); at -= 1) {
    const word = words[at];
    if (!word || (at < index && !FILLERS.has(word.text))) return false;
    if (word.starts) return true;
  }
  return false;
}
