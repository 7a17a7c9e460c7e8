import SqliteDatabase, { type Database } from 'better-sqlite3';
import { StoreError } from './error.ts';
import { sqliteCode, translated } from './sqlite-error.ts';

const RETRY_MS = 10;

/**
 * Opens a file, making it if need be, so that a commit survives a power cut and writers wait for one
 * another for up to `busyTimeoutMs`. Throws `STORE_CANNOT_OPEN` where no file can be opened.
 */
export function openDatabase(path: string, busyTimeoutMs: number): Database {
  const database = openFile(path, { timeout: busyTimeoutMs });
  try {
    useWriteAheadLog(database, busyTimeoutMs);
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw translated(error);
  }
}

/** Opens a file for looking only: neither the file nor its log changes, on closing either. */
export const openForReading = (path: string, busyTimeoutMs: number): Database =>
  openFile(path, { timeout: busyTimeoutMs, readonly: true });

function openFile(path: string, options: SqliteDatabase.Options): Database {
  try {
    return new SqliteDatabase(path, options);
  } catch (error) {
    throw new StoreError(
      'STORE_CANNOT_OPEN',
      `can not open the store ${path}`,
      'The folder must exist and be writable; see the cause.',
      error,
    );
  }
}

// SQLite answers BUSY at once, without waiting, when two connections change the mode of a fresh file.
function useWriteAheadLog(database: Database, busyTimeoutMs: number): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const busy = sqliteCode(error)?.startsWith('SQLITE_BUSY');
      if (!busy || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}
