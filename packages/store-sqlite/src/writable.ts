import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { printable } from '@atelier/envelope';
import { StoreError } from './error.ts';

const REFUSALS: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Throws `STORE_READ_ONLY` when this user can not write the file, one of those that SQLite keeps beside it, or their
 * folder. What is not there yet is no obstacle.
 */
export function assertWritable(path: string): void {
  const file = realPath(path);
  for (const place of [dirname(file), file, `${file}-wal`, `${file}-shm`]) {
    const cause = whyNot(place);
    if (cause !== undefined) throw readOnly(place, cause);
  }
}

/** The error of a place that can not be written. */
function readOnly(place: string, cause: unknown): StoreError {
  return new StoreError(
    'STORE_READ_ONLY',
    `${printable(place, 400)} can not be written`,
    'Nothing was touched. Make it and its folder writable for this user, or work as the user who owns it.',
    cause,
  );
}

function whyNot(place: string): unknown {
  try {
    accessSync(place, constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    return REFUSALS.has(code) ? error : undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
