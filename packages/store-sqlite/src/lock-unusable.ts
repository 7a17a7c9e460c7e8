import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable } from '@atelier/envelope';
import { StoreError } from './error.ts';
import { sqliteCode } from './sqlite-error.ts';

/** The error of a lock file that can neither be locked nor tells that somebody else has locked it. */
export function lockUnusable(path: string, cause: unknown): StoreError {
  const code = sqliteCode(cause);
  const why = cause instanceof Error ? cause.message : cause;
  return new StoreError(
    'STORE_LOCK_UNUSABLE',
    `the lock ${printable(path, 400)}${ownerOf(path)} can not be taken: ${printable(why)}${code ? ` (${code})` : ''}`,
    hintFor(code),
    cause,
  );
}

function hintFor(code: string | undefined): string {
  if (/^SQLITE_(?:NOTADB|CORRUPT)/u.test(code ?? ''))
    return 'The file is not the lock that it should be. Make sure that nothing of this project runs, then remove it: it holds no data.';
  if (/^SQLITE_(?:FULL|IOERR)/u.test(code ?? ''))
    return 'The disk could not be used; make room, or see the log of the system.';
  return 'Its folder must exist, and this user must be able to write both. If it is another user’s and nothing of theirs runs, have them make it writable for you, or remove it: it holds no data.';
}

function ownerOf(path: string): string {
  const file = statOf(path);
  if (file) return `, of user ${file.uid} with mode ${modeOf(file)},`;
  const folder = statOf(dirname(path));
  return folder
    ? ` in a folder of user ${folder.uid} with mode ${modeOf(folder)}`
    : ' in a folder that is not there';
}

const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(4, '0');

/** Only looks: opening and closing the file would drop a lock that this process holds on it. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
