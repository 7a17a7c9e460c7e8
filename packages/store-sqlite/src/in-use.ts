import { readFileSync, statSync } from 'node:fs';

/** Where SQLite's locks begin: a byte of its own, then the shared range. */
const LOCK_BYTE = 0x40000000;

/**
 * Whether a process has the file open as a database, this one included. `undefined` where that can not be known.
 * Looks at the kernel's list, because asking for the lock itself would fold the log in or shut others out.
 */
export function inUse(path: string): boolean | undefined {
  try {
    return hasLock(readFileSync('/proc/locks', 'utf8'), statSync(path, { bigint: true }).ino);
  } catch {
    return undefined;
  }
}

/** Goes by the number alone: the device has other names for what some file systems put on top of one another. */
export function hasLock(locks: string, inode: bigint): boolean {
  return locks.split('\n').some((line) => {
    const [file, start] = line.split(/\s+/u).slice(-3);
    return file?.split(':')[2] === String(inode) && Number(start) >= LOCK_BYTE;
  });
}
