/** An object that a name stands for. */
export interface ObjectInfo {
  readonly oid: string;
  readonly type: string;
  readonly bytes: number;
}

export interface StoredObject extends ObjectInfo {
  readonly content: Buffer;
}

/** How much of an object is asked for. */
export type Depth = 'info' | 'contents';

/** What git has answered: all of it, or how many bytes there have to be before another look is worth it. */
type Answers =
  | {
      readonly kind: 'whole';
      readonly answers: readonly (StoredObject | undefined)[];
      /** How many of the bytes they take. */
      readonly used: number;
    }
  | { readonly kind: 'partial'; readonly wanted: number };

const NEWLINE = '\n'.charCodeAt(0);

const EMPTY = Buffer.alloc(0);

/** The question for names without line breaks, in the form of `git cat-file --batch-command`. */
export const questionFor = (depth: Depth, names: readonly string[]): string =>
  names.map((name) => `${depth} ${name}\n`).join('');

/**
 * Reads the answers to as many names: `oid type size`, with content for `contents`; any other line is that of a name
 * that stands for nothing.
 */
export function answersIn(bytes: Buffer, depth: Depth, count: number): Answers {
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
  return { kind: 'whole', answers, used: at };
}

const HEADER = /^([0-9a-f]{40,64}) (\w+) (\d+)$/;
