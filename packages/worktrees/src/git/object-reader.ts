import { type GitPlace, gitAt } from './git.ts';
import { gitFailure } from './git-failure.ts';
import { keepAsking } from './keep-asking.ts';
import {
  answersIn,
  type Depth,
  type Found,
  OBJECTS,
  type ObjectInfo,
  questionFor,
  type StoredObject,
} from './object-answers.ts';

/**
 * Reads what names stand for, all of one call in one look, each name resolved when it is asked for; `undefined` for one
 * that stands for nothing. Names have no line break. Rejects like `Git`.
 */
export interface ObjectReader {
  info(names: readonly string[]): Promise<readonly (ObjectInfo | undefined)[]>;
  /** Holds all of it in memory. */
  contents(names: readonly string[]): Promise<readonly (StoredObject | undefined)[]>;
  /** Ends the git that is kept, if there is one. The next question starts another. */
  rest(): void;
}

/**
 * A reader that keeps one git for many questions. Nothing hangs on that one: whatever it does not answer well is asked
 * of a git of its own, as is an object that it does not find, which may be in a store that the clone was given since.
 */
export function objectReader(place: GitPlace): ObjectReader {
  const alone = readerOfOne(place);
  const kept = keepAsking(place, OBJECTS);
  const ask = async (depth: Depth, names: readonly string[]): Promise<Found> => {
    if (names.length === 0) return [];
    try {
      const found = await kept.ask({ depth, names });
      if (names.every((name, at) => found[at] || !OBJECT_NAME.test(name))) return found;
    } catch {
      // A git of its own says what is wrong.
    }
    return alone(depth, names);
  };
  return {
    info: (names) => ask('info', names),
    contents: (names) => ask('contents', names),
    rest: kept.rest,
  };
}

/** A reader with a git for each call, for whoever asks once or twice. */
export function plainReader(place: GitPlace): ObjectReader {
  const ask = readerOfOne(place);
  return {
    info: (names) => ask('info', names),
    contents: (names) => ask('contents', names),
    rest: () => undefined,
  };
}

/** With what is to be found behind it, such as `^{tree}`. */
const OBJECT_NAME = /^[0-9a-f]{40,64}(?:\^|$)/;

function readerOfOne(place: GitPlace): (depth: Depth, names: readonly string[]) => Promise<Found> {
  const git = gitAt(place);
  return async (depth, names) => {
    if (names.length === 0) return [];
    const input = Buffer.from(questionFor(depth, names));
    const { stdout } = await git(['cat-file', '--batch-command'], { input });
    const found = answersIn(stdout, depth, names.length);
    if (found.kind === 'whole') return found.answer;
    throw gitFailure('cat-file', 0, 'fatal: it ended in the middle of an answer');
  };
}
