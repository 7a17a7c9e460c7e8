import { hash as digest } from 'node:crypto';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';

/** The last event that was committed to a file, as far as is known. */
export interface Tip {
  /** As its column has it. */
  readonly run_id: string;
  readonly seq: number;
  readonly hash: string;
}

/** Where a store notes its tip, so that a file from which commits are gone is recognised. */
export interface TipFile {
  /** To be called after the commit. Never throws: it is only a safety net, and a tip that is too old is fine. */
  note(tip: Tip): void;
  close(): void;
}

/** Of the first line. What is longer is not read, like what is torn. */
const LONGEST_BYTES = 65_536;

const CHECK_LENGTH = 16;

/** The file beside a database that holds its tip. */
export const tipPath = (path: string): string => `${path}.tip`;

/** The tip that was noted; undefined when there is none that is whole. */
export function readTip(path: string): Tip | undefined {
  try {
    const [check, text = ''] = split(firstLine(tipPath(path)));
    return check === checkOf(text) ? tipFrom(JSON.parse(text)) : undefined;
  } catch {
    return undefined;
  }
}

/** The tip of a store that is in use. It is not synced: after a power cut it may be old, and never ahead. */
export function openTip(path: string): TipFile {
  let file = openIfPossible(tipPath(path));
  return {
    note({ run_id, seq, hash }) {
      if (file === undefined) return;
      const text = JSON.stringify([run_id, seq, hash]);
      try {
        // One write at the start of the file: a longer line of before is cut off by the line break.
        writeSync(file, `${checkOf(text)} ${text}\n`, 0);
      } catch {
        // The batch is committed all the same.
      }
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

/** For a database without a file. */
export const NO_TIP: TipFile = { note: () => {}, close: () => {} };

function openIfPossible(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    return undefined;
  }
}

function firstLine(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(LONGEST_BYTES);
    const length = readSync(file, bytes, 0, LONGEST_BYTES, 0);
    const end = bytes.subarray(0, length).indexOf('\n');
    return bytes.toString('utf8', 0, Math.max(end, 0));
  } finally {
    closeSync(file);
  }
}

const split = (line: string): [check: string, text: string] => [
  line.slice(0, CHECK_LENGTH),
  line.slice(CHECK_LENGTH + 1),
];

const checkOf = (text: string): string => digest('sha256', text).slice(0, CHECK_LENGTH);

function tipFrom(value: unknown): Tip | undefined {
  if (!Array.isArray(value)) return undefined;
  const [run_id, seq, hash]: readonly unknown[] = value;
  return typeof run_id === 'string' && typeof seq === 'number' && typeof hash === 'string'
    ? { run_id, seq, hash }
    : undefined;
}
