import { closestName } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import type { Closing, Entry } from '@atelier/team-behaviors';

/** A meeting of people, as they wrote it down. */
export interface Notes {
  readonly entries: readonly Entry[];
  readonly closing: Closing;
}

/** Something that is wrong with notes, and where. */
export interface NotesDefect {
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

/** Who may have spoken: by the name in the notes, the role that it stands for. */
export type Speakers = ReadonlyMap<string, string>;

/** Code points of a summary, of what somebody said, and of a decision or an open point. */
const LONGEST = { summary: 8000, says: 4000, point: 500 } as const;

const MOST_POINTS = 100;

/**
 * Notes from a document `{ turns: [{ by, says, reply_to? }], summary, decisions?, open_points? }`, or all that is wrong with
 * it. Nothing is cut: what is too long is a defect.
 */
export function notesOf(
  value: unknown,
  speakers: Speakers,
):
  | { readonly ok: true; readonly notes: Notes }
  | { readonly ok: false; readonly defects: readonly NotesDefect[] } {
  const defects = [...defectsOf(value, speakers)];
  if (defects.length > 0) return { ok: false, defects };
  const { turns, summary, decisions = [], open_points = [] } = value as WrittenNotes;
  const entries = turns.map(({ by, says, reply_to: replyTo }) => ({
    ...{ sender: speakers.get(by) ?? by, text: says },
    ...(replyTo === undefined ? {} : { replyTo }),
  }));
  return { ok: true, notes: { entries, closing: { summary, decisions, openPoints: open_points } } };
}

interface WrittenNotes {
  readonly turns: readonly {
    readonly by: string;
    readonly says: string;
    readonly reply_to?: number;
  }[];
  readonly summary: string;
  readonly decisions?: readonly string[];
  readonly open_points?: readonly string[];
}

function* defectsOf(value: unknown, speakers: Speakers): Generator<NotesDefect> {
  if (!isObject(value))
    return yield at('', 'is no object with turns and a summary', 'Write turns: and summary:.');
  yield* unknownKeys(value, '', ['turns', 'summary', 'decisions', 'open_points']);
  const { turns, summary, decisions = [], open_points = [] } = value;
  yield* textDefects(summary, 'summary', LONGEST.summary);
  for (const [name, points] of Object.entries({ decisions, open_points }))
    if (!Array.isArray(points) || points.length > MOST_POINTS)
      yield at(name, `is no list of at most ${MOST_POINTS}`, 'Make it a list of sentences.');
    else
      for (const [index, point] of points.entries())
        yield* textDefects(point, `${name}[${index}]`, LONGEST.point);
  if (!Array.isArray(turns))
    yield at('turns', 'is no list', 'List who said what; it may be empty.');
  else for (const [index, turn] of turns.entries()) yield* turnDefects(turn, index, speakers);
}

function* turnDefects(turn: unknown, index: number, speakers: Speakers): Generator<NotesDefect> {
  const path = `turns[${index}]`;
  if (!isObject(turn)) return yield at(path, 'is no object', 'Write by: and says:.');
  yield* unknownKeys(turn, `${path}.`, ['by', 'says', 'reply_to']);
  const { by, says, reply_to } = turn;
  if (typeof by !== 'string' || !speakers.has(by))
    yield at(
      `${path}.by`,
      `is ${printable(by, 64)}, and nobody of that name is in the meeting`,
      `Use one of ${[...speakers.keys()].join(', ')}.`,
    );
  yield* textDefects(says, `${path}.says`, LONGEST.says);
  const isEarlier =
    Number.isInteger(reply_to) && Number(reply_to) >= 1 && Number(reply_to) <= index;
  if (reply_to !== undefined && !isEarlier)
    yield at(
      `${path}.reply_to`,
      `is ${printable(reply_to, 20)}, and no earlier turn`,
      'Give the number of an earlier turn, the first being 1, or leave it out.',
    );
}

function* textDefects(value: unknown, path: string, longest: number): Generator<NotesDefect> {
  const fix = `Write a text of 1 to ${longest} characters.`;
  if (value === undefined) yield at(path, 'is missing', fix);
  else if (typeof value !== 'string' || value.trim() === '') yield at(path, 'is no text', fix);
  else if (value.length > 2 * longest || [...value].length > longest)
    yield at(path, `is longer than ${longest} characters`, fix);
}

function* unknownKeys(
  value: object,
  prefix: string,
  known: readonly string[],
): Generator<NotesDefect> {
  for (const key of Object.keys(value)) {
    if (known.includes(key) || key.startsWith('x-')) continue;
    const meant = closestName(key, known);
    yield at(
      `${prefix}${printable(key, 40)}`,
      'is no key of notes',
      meant === undefined ? `Known: ${known.join(', ')}; x-… is yours.` : `Did you mean ${meant}?`,
    );
  }
}

const at = (path: string, message: string, fix: string): NotesDefect => ({ path, message, fix });

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
