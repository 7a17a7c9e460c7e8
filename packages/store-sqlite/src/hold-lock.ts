import SqliteDatabase, { type Database } from 'better-sqlite3';
import { StoreError } from './error.ts';
import { clearHolder, holderOf, noteHolder } from './lock-holder.ts';
import { lockUnusable } from './lock-unusable.ts';
import { sqliteCode } from './sqlite-error.ts';

/** A lock that the operating system takes back when its process ends, however it ends. */
export interface HeldLock {
  release(): void;
}

interface LockOptions {
  /** A file of its own, made if it is not there. */
  readonly path: string;
  /** Who holds it, in words for whoever does not get it. */
  readonly holder: string;
}

// Of several who ask at once one must get it: two who give up at the sight of each other would leave it free.
const PATIENCE_MS = 300;

/** A database that nobody refers to is closed some day, and its lock is free: whoever drops what they hold still holds it. */
const heldHere = new Set<Database>();

/**
 * Takes the lock by an exclusive transaction on its file. Throws `STORE_LOCKED`, naming the holder, or
 * `STORE_LOCK_UNUSABLE`, naming the file and its owner, when nobody can be asked for it.
 */
export function holdLock({ path, holder }: LockOptions): HeldLock {
  const database = locked(path);
  heldHere.add(database);
  // The lock is the transaction; the holder's name only tells people, and a full disk may have no room for it.
  noteHolder(path, holder);
  return {
    release() {
      if (!heldHere.delete(database)) return;
      clearHolder(path);
      database.close();
    },
  };
}

// SQLite makes a transaction on a file that it may not write one that only reads, and says nothing: the last statement
// brings that to light. It changes a page in memory that is never written.
const TAKE_IT = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1';

function locked(path: string): Database {
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(path, { timeout: PATIENCE_MS });
    database.exec(TAKE_IT);
    return database;
  } catch (cause) {
    database?.close();
    throw isBusy(cause) ? lockHeld(path, cause) : lockUnusable(path, cause);
  }
}

const isBusy = (error: unknown): boolean => sqliteCode(error)?.startsWith('SQLITE_BUSY') === true;

const lockHeld = (path: string, cause: unknown): StoreError =>
  new StoreError(
    'STORE_LOCKED',
    `it is in use by ${holderOf(path) ?? 'another process'}`,
    'Wait for it to end, or end it.',
    cause,
  );
