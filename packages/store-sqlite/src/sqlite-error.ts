import { StoreError } from './error.ts';

interface Meaning {
  readonly code: string;
  readonly hint: string;
}

const FULL: Meaning = {
  code: 'STORE_FULL',
  hint: 'Nothing was written. Make room on the disk of the store; what was committed before stays, and atelier resume goes on from there.',
};

// By the start of SQLite's own code, so that extended codes fall under their family; the first that fits counts.
const MEANINGS: readonly (readonly [prefix: string, meaning: Meaning])[] = [
  [
    'SQLITE_BUSY',
    {
      code: 'STORE_BUSY',
      hint: 'Another process holds the file for longer than busyTimeoutMs; end it, or wait.',
    },
  ],
  [
    'SQLITE_CONSTRAINT',
    {
      code: 'STORE_CONSTRAINT',
      hint: 'Nothing was written. What was to be written contradicts what the store already holds.',
    },
  ],
  ['SQLITE_FULL', FULL],
  // The memory that connections share is a file too, and the first to be made.
  ['SQLITE_IOERR_SHMSIZE', FULL],
  [
    'SQLITE_READONLY',
    {
      code: 'STORE_READ_ONLY',
      hint: 'Nothing was written. Make the file and its folder writable for this user; if it was moved meanwhile, start again.',
    },
  ],
  [
    'SQLITE_CORRUPT',
    {
      code: 'STORE_DAMAGED',
      hint: 'Stop, and keep the file with its -wal as it is. See atelier verify for what can still be read; put back a copy, or start anew in another file.',
    },
  ],
  [
    'SQLITE_NOTADB',
    {
      code: 'STORE_DAMAGED',
      hint: 'The file is no database. Move it aside, or put back a copy with its -wal file.',
    },
  ],
  [
    'SQLITE_IOERR',
    {
      code: 'STORE_IO',
      hint: 'The disk could not be read or written; see the cause and the log of the system. Whether the last batch is there is known after a new start.',
    },
  ],
  [
    'SQLITE_CANTOPEN',
    {
      code: 'STORE_CANNOT_OPEN',
      hint: 'The folder must exist and be writable, with room for the files that SQLite keeps beside the store.',
    },
  ],
  [
    'SQLITE_',
    { code: 'STORE_FAILED', hint: 'Nothing was written. See the cause for what SQLite reported.' },
  ],
];

/** The SQLite result code of an error, if it is one of SQLite's. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}

/** An error of SQLite's as one of ours, with the original as its cause; anything else as it is. */
export function translated(error: unknown): unknown {
  const code = sqliteCode(error);
  const [, meaning] = MEANINGS.find(([prefix]) => code?.startsWith(prefix)) ?? [];
  if (!meaning || !(error instanceof Error)) return error;
  return new StoreError(meaning.code, `${error.message} (${code})`, meaning.hint, error);
}
