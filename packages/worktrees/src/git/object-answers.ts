import type { Dialogue, Reading } from './kept-git.ts';

/** An object that a name stands for. */
export interface ObjectInfo {
  readonly oid: string;
  readonly type: string;
  readonly bytes: number;
}

export interface StoredObject extends ObjectInfo {
  readonly content: Buffer;
}

/** One for each name; `undefined` for one that stands for nothing. */
export type Found = readonly (StoredObject | undefined)[];

/** How much of an object is asked for. */
export type Depth = 'info' | 'contents';

const NEWLINE = '\n'.charCodeAt(0);

const EMPTY = Buffer.alloc(0);

/** The question for names without line breaks, in the form of `git cat-file --batch-command`. */
export const questionFor = (depth: Depth, names: readonly string[]): string =>
  names.map((name) => `${depth} ${name}\n`).join('');

/**
 * Reads the answers to as many names: `oid type size`, with content for `contents`; any other line is that of a name
 * that stands for nothing.
 */
export function answersIn(bytes: Buffer, depth: Depth, count: number): Reading<Found> {
  const answers: (StoredObject | undefined)[] = [];
  let at = 0;
  while (answers.length < count) {
    const end = bytes.indexOf(NEWLINE, at);
    if (end < 0) return { kind: 'partial', wanted: bytes.length + 1 };
    const header = HEADER.exec(bytes.toString('latin1', at, end));
    at = end + 1;
    const [, oid, type, size] = header ?? [];
    if (oid === undefined || type === undefined) {
      answers.push(undefined);
      continue;
    }
    const length = Number(size);
    const from = at;
    if (depth === 'contents') at += length + 1;
    if (at > bytes.length) return { kind: 'partial', wanted: at };
    const content = depth === 'contents' ? bytes.subarray(from, from + length) : EMPTY;
    answers.push({ oid, type, bytes: length, content });
  }
  return { kind: 'whole', answer: answers, used: at };
}

const HEADER = /^([0-9a-f]{40,64}) (\w+) (\d+)$/;

interface ObjectQuestion {
  readonly depth: Depth;
  readonly names: readonly string[];
}

/** Many names in one question. */
export const OBJECTS: Dialogue<ObjectQuestion, Found> = {
  command: ['cat-file', '--batch-command'],
  count: ({ names }) => names.length,
  textOf: ({ depth, names }) => questionFor(depth, names),
  read: (bytes, { depth, names }) => answersIn(bytes, depth, names.length),
};
