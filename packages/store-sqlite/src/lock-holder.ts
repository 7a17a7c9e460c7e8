import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { printable } from '@atelier/envelope';

/** More of a name is not shown. In bytes. */
const LONGEST_NAME = 512;

// A file beside the lock's own: whoever opens and closes that one by other means than SQLite would drop the lock.
const nameFile = (path: string): string => `${path}.holder`;

/** Notes who holds a lock, if it can be noted. Never throws. */
export function noteHolder(path: string, holder: string): void {
  // No name is better than that of an earlier holder, and a file of another user can not be written over.
  clearHolder(path);
  try {
    writeFileSync(nameFile(path), holder, { mode: 0o644, flag: 'wx' });
  } catch {
    clearHolder(path);
  }
}

/** Forgets the name, if that can be done. Never throws. */
export function clearHolder(path: string): void {
  try {
    rmSync(nameFile(path), { force: true });
  } catch {
    // Another user's folder: the next holder writes over it, or nobody learns a name.
  }
}

/** Who was noted, fit for a message; undefined when nobody was, or the note is another user's. */
export function holderOf(path: string): string | undefined {
  try {
    const file = openSync(nameFile(path), 'r');
    try {
      const bytes = Buffer.alloc(LONGEST_NAME);
      const name = bytes.toString('utf8', 0, readSync(file, bytes, 0, LONGEST_NAME, 0));
      return printable(name.trim()) || undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}
