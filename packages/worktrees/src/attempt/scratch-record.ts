import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf } from '../error.ts';

/**
 * A worktree that holds nobody’s work: for commands of the host, or for an attempt that has not begun. One whose
 * record is still there after its host is gone may be removed unsaved.
 */
export interface ScratchRecord {
  readonly kind: 'scratch';
  readonly path: string;
  readonly gitDir: string;
  readonly base: string;
  /** Absolute paths inside it that may only be read; absent until it is ready. */
  readonly frozen?: readonly string[];
  /** The attempt whose worker reads in it; absent where only commands of the host do. */
  readonly tenant?: { readonly taskId: string; readonly attempt: number };
}

/** Below it, one folder for each scratch worktree. */
const scratchFolders = (root: string): string => join(root, 'scratch');

/** A new folder for what belongs to a scratch worktree. Its name is in use once. */
export async function newScratchFolder(root: string): Promise<string> {
  await mkdir(scratchFolders(root), { recursive: true });
  return mkdtemp(join(scratchFolders(root), 's-'));
}

const RECORD = 'scratch.json';

export async function writeScratch(folder: string, record: ScratchRecord): Promise<void> {
  await writeFile(join(folder, `${RECORD}.new`), JSON.stringify(record));
  await rename(join(folder, `${RECORD}.new`), join(folder, RECORD));
}

/** The record in a folder of `<root>/scratch`; `undefined` when there is none. */
export async function readScratch(folder: string): Promise<ScratchRecord | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, RECORD), 'utf8')) as ScratchRecord;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Forgets a scratch worktree: its record first. */
export async function forgetScratch(folder: string): Promise<void> {
  await rm(join(folder, RECORD), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** The folder of a name. */
export const scratchFolder = (root: string, name: string): string =>
  join(scratchFolders(root), basename(name));

/** The name of the worktree that belongs to the folder. */
export const scratchName = (folder: string): string => basename(folder);
