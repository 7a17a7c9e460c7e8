import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';

/** What a walk over a worktree finds, changing nothing. */
interface Measure {
  /** Apparent size of its files. What is linked from elsewhere takes no room of its own and is left out. */
  readonly bytes: number;
  /** When something in it was changed last, in milliseconds since 1970. */
  readonly lastUsed: number;
  /** Git may look at it: it can read all of it, and nothing in it makes it wait. */
  readonly isPlain: boolean;
}

/** A walk ends here; the rest counts as nothing. */
const MOST_ENTRIES = 500_000;
const BATCH = 64;

/** Walks a worktree, following no link; `undefined` when there is none. Frozen paths are passed over. */
export async function measure(
  path: string,
  frozen: readonly string[],
): Promise<Measure | undefined> {
  const top = await lstat(path).catch(() => undefined);
  if (!top?.isDirectory()) return undefined;
  const passedOver = new Set(frozen.map((one) => Buffer.from(one).toString('latin1')));
  const folders = [Buffer.from(path).toString('latin1')];
  let bytes = 0;
  let lastUsed = top.mtimeMs;
  let isPlain = true;
  let entries = 0;
  const weigh = (found: Stats | undefined) => {
    if (!found) return;
    lastUsed = Math.max(lastUsed, found.mtimeMs);
    if (found.isFile()) bytes += found.nlink > 1 ? 0 : found.size;
    else if (!found.isSymbolicLink() && !found.isDirectory()) isPlain = false;
  };
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const here = folder;
    const listed = await readdir(bytesOf(here), { withFileTypes: true, encoding: 'latin1' }).catch(
      () => undefined,
    );
    if (!listed) isPlain = false;
    const seen = (listed ?? []).filter(({ name }) => !passedOver.has(`${here}/${name}`));
    entries += seen.length;
    if (entries > MOST_ENTRIES) return { bytes, lastUsed, isPlain: false };
    for (let at = 0; at < seen.length; at += BATCH) {
      const look = ({ name }: Dirent) => lstat(bytesOf(`${here}/${name}`)).catch(() => undefined);
      for (const found of await Promise.all(seen.slice(at, at + BATCH).map(look))) weigh(found);
    }
    for (const entry of seen) if (entry.isDirectory()) folders.push(`${here}/${entry.name}`);
  }
  return { bytes, lastUsed, isPlain };
}

const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');
