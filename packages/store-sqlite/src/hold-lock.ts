import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreError } from './error.ts';

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

/** Takes the lock by an exclusive transaction on its file. Throws `STORE_LOCKED`, naming the holder. */
export function holdLock({ path, holder }: LockOptions): HeldLock {
  const database = new Database(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    if ((cause as { readonly code?: unknown }).code !== 'SQLITE_BUSY') throw cause;
    throw new StoreError(
      'STORE_LOCKED',
      `it is in use by ${holderOf(path)}`,
      'Wait for it to end, or end it.',
      cause,
    );
  }
  // The lock is the transaction; this file only tells people.
  writeFileSync(nameFile(path), holder, { mode: 0o600 });
  return { release: () => database.close() };
}

const nameFile = (path: string): string => `${path}.holder`;

function holderOf(path: string): string {
  try {
    return readFileSync(nameFile(path), 'utf8');
  } catch {
    return 'another process';
  }
}
