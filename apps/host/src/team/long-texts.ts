import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Bytes that the long texts of a run may take in files. */
export const MOST_IN_FILES: number = 4 * 1024 * 1024;

/** What is too long for the chat goes to files of the workspace; not without a bound. */
export interface LongTexts {
  /**
   * The text as it is to be posted: whole where the chat takes it or a file may be made for it, else as much of it as the
   * chat takes, and why there is no more.
   */
  fit(text: string): string;
  /** Takes in what is in the folder of such a file, also by earlier hosts of the run. Never rejects. */
  keptIn(file: string): Promise<void>;
}

/** `maxBody` is what the chat takes in one message, in UTF-16 units. */
export function longTexts(maxBody: number, most: number = MOST_IN_FILES): LongTexts {
  let used = 0;
  return {
    fit(text) {
      if (text.length <= maxBody) return text;
      const bytes = Buffer.byteLength(text);
      if (used + bytes > most)
        return `${text.slice(0, Math.max(0, maxBody - FULL.length)).replace(HALF, '')}${FULL}`;
      used += bytes;
      return text;
    },
    async keptIn(file) {
      used = Math.max(used, await bytesIn(dirname(file)).catch(() => 0));
    },
  };
}

/** The first half of a character at an end. */
const HALF = /[\uD800-\uDBFF]$/;

const FULL = '… (cut: the long texts of this run have filled the files that they may take)';

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder);
  const sizes = files.map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
