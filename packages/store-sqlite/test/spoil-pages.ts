import { closeSync, openSync, writeSync } from 'node:fs';

/** Writes over the first half of pages of a file that nobody has open, of 4,096 bytes each, counted from 0. */
export function spoilPages(path: string, pages: readonly number[]): void {
  const file = openSync(path, 'r+');
  try {
    for (const page of pages) writeSync(file, Buffer.alloc(2_048, 0xa5), 0, 2_048, page * 4_096);
  } finally {
    closeSync(file);
  }
}
