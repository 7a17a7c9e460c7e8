import { copyFile, rename, stat, utimes } from 'node:fs/promises';

/**
 * Copies an index together with its age. Git compares content only where a file is not older than the index, so
 * a copy that looks younger would hide changes made right after the carve.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await copyFile(from, `${to}.new`);
  await utimes(`${to}.new`, seconds, seconds);
  await rename(`${to}.new`, to);
}
