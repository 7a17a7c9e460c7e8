import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** How much is looked at for one print. */
interface Limits {
  readonly entries: number;
  readonly bytes: number;
}

/** A second or two of work; what is more is not compared. */
const MOST: Limits = { entries: 20_000, bytes: 256 * 2 ** 20 };

/** How many files are read at once. */
const BATCH = 16;

/**
 * Makes a text that is equal only where files and folders are, by name, content and right to execute. Undefined where
 * that can not be told: too much of it, or something that can not be read. Takes absolute paths; one that is not there
 * counts as such. A link counts by where it leads; what is there only of one that was asked for by its own path. A file
 * is not read again while its size, its time and its inode are the same.
 */
export function filesPrint(
  limits: Limits = MOST,
): (paths: readonly string[]) => Promise<string | undefined> {
  const known = new Map<string, string>();
  return async (paths) => {
    try {
      const found = await surveyed([...new Set(paths)].sort(), limits);
      const print = createHash('sha256');
      for (let at = 0; at < found.length; at += BATCH) {
        const batch = found.slice(at, at + BATCH).map((entry) => lineOf(entry, known));
        for (const line of await Promise.all(batch)) print.update(`${JSON.stringify(line)}\n`);
      }
      return print.digest('hex');
    } catch (error) {
      if (!isOfFiles(error)) throw error;
      return undefined;
    }
  };
}

interface Entry {
  readonly path: string;
  /** Undefined for what is not there. */
  readonly stats: BigIntStats | undefined;
}

async function surveyed(paths: readonly string[], limits: Limits): Promise<readonly Entry[]> {
  const found: Entry[] = [];
  const left = [...paths].reverse();
  const asked = new Set(paths);
  let bytes = 0;
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const stats = await lstat(path, { bigint: true }).catch(absent);
    found.push({ path, stats });
    if (stats?.isFile()) bytes += Number(stats.size);
    if (found.length > limits.entries || bytes > limits.bytes) throw new Untold('too much');
    if (stats?.isDirectory()) left.push(...(await inside(path)).reverse());
    if (!stats?.isSymbolicLink() || !asked.has(path)) continue;
    const target = await realpath(path).catch(absent);
    if (target !== undefined && !asked.has(target)) left.push(target);
    if (target !== undefined) asked.add(target);
  }
  return found;
}

async function inside(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  // A name that is no text has lost what told it apart.
  if (names.some((name) => name.includes('\uFFFD'))) throw new Untold('a name that is no text');
  return names.sort().map((name) => join(folder, name));
}

async function lineOf({ path, stats }: Entry, known: Map<string, string>): Promise<string[]> {
  if (!stats) return [path, 'absent'];
  if (stats.isSymbolicLink()) return [path, 'link', await readlink(path)];
  if (stats.isDirectory()) return [path, 'folder'];
  if (!stats.isFile()) return [path, 'other'];
  const { dev, ino, size, mtimeNs, mode } = stats;
  // Not its ctime: a hard link in a worktree changes that.
  const name = [dev, ino, size, mtimeNs].join(' ');
  const content = known.get(name) ?? (await contentOf(path));
  known.set(name, content);
  return [path, (mode & 0o111n) === 0n ? 'file' : 'program', content];
}

/** Never waits, as a FIFO that has taken the place of the file would make it. */
async function contentOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new Untold('it has changed meanwhile');
    const hash = createHash('sha256');
    for await (const piece of file.createReadStream({ autoClose: false })) hash.update(piece);
    return hash.digest('hex');
  } finally {
    await file.close();
  }
}

class Untold extends Error {}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return undefined;
}

/** What a file system says, and no fault of ours. */
const isOfFiles = (error: unknown): boolean =>
  error instanceof Untold ||
  (error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string');
