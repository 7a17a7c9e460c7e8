import { copyFile, stat, utimes } from 'node:fs/promises';

/**
 * Copies an index together with its age. Git compares content only where a file is not older than the index, so
 * a copy that looks younger would hide changes made right after the carve.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  await setAge(to, mtimeMs);
}

/** Has an index that was just written look older than it is, so that git compares the content of what came with it. */
export async function ageIndex(index: string): Promise<void> {
  const { mtimeMs } = await stat(index);
  await setAge(index, mtimeMs);
}

async function setAge(index: string, mtimeMs: number): Promise<void> {
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(index, seconds, seconds);
}
