import { printable } from '@atelier/envelope';
import type { Database } from 'better-sqlite3';
import { StoreError } from './error.ts';
import { type Tip, tipPath } from './tip.ts';

/** Whether the file lacks an event that was committed to it: a log was cut or lost, or an older copy put back. */
export function isBehind(database: Database, { run_id, seq }: Tip): boolean {
  const table = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'events'")
    .get();
  if (table === undefined) return true;
  return (
    database.prepare('SELECT 1 FROM events WHERE run_id = ? AND seq = ?').get(run_id, seq) ===
    undefined
  );
}

/** The error of a file from which commits are gone. */
export const truncated = (path: string, { run_id, seq }: Tip): StoreError =>
  new StoreError(
    'STORE_TRUNCATED',
    `the store ${printable(path, 400)} has lost what was committed: event ${seq} of run ${printable(run_id)} is not in it`,
    `The file was left as it is. Put back the newest copy together with its -wal file; or remove ${printable(tipPath(path), 400)} to go on with what is there.`,
  );
