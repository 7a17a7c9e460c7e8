import { StoreError } from './error.ts';

interface Meaning {
  readonly code: string;
  readonly hint: string;
}

// By the start of SQLite's own code, so that extended codes fall under their family.
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
      hint: 'Nothing was written. The events contradict what the store already holds.',
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
