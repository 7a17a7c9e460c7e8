import { printable } from '@atelier/envelope';
import type { Database } from 'better-sqlite3';
import { StoreError } from './error.ts';
import { sqliteCode } from './sqlite-error.ts';

/** More of them tell nothing more. */
const MOST_FINDINGS = 20;

/** What SQLite's quick check finds wrong with a file: its pages, not what they say. Takes a time that grows with it. */
export function damageIn(database: Database): readonly string[] {
  try {
    const rows = database.prepare<[], string>(`PRAGMA quick_check(${MOST_FINDINGS})`).pluck().all();
    return rows.filter((row) => row !== 'ok').map((row) => printable(row));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [printable(error instanceof Error ? error.message : error)];
  }
}

/** Whether SQLite says that a file is broken, or is no database. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(?:CORRUPT|NOTADB)/u.test(code);
}

/** The error of a file that SQLite can not make sense of. */
export const damaged = (path: string, finding: string, cause?: unknown): StoreError =>
  new StoreError(
    'STORE_DAMAGED',
    `the store ${printable(path, 400)} is damaged: ${printable(finding)}`,
    'The file was left as it is. See atelier verify for what can still be read. Put back a copy with its -wal file, or move the store aside and start anew.',
    cause,
  );
