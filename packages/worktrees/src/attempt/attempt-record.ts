import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../error.ts';
import { safeName } from '../safe-name.ts';

/** What was in a worktree when it was last salvaged. */
export interface SavedState {
  /** The commit that the worktree was carved from. */
  readonly base: string;
  /** The commit that holds it; absent when nothing had changed. */
  readonly commit?: string;
  /** Where the worker had left the worktree’s HEAD. */
  readonly head: string;
  /** How many paths differ from the base. */
  readonly changed: number;
  /** Ignored paths that were there and are not saved, whole folders as one; the first 200. */
  readonly ignored: readonly string[];
  /** Repositories that the worker made inside; their history is in the worktree alone. */
  readonly nested: readonly string[];
  /** Names that git does not take into a tree; those files are in the worktree alone. */
  readonly refused: readonly string[];
  /** Its worker may have been at work: what is there once that has ended is saved anew. */
  readonly provisional?: true;
}

/** What a look has noted, so that the next one need not ask git. */
export interface IndexedTree {
  /** An index of these bytes, and no other, stands for the tree. */
  readonly sha256: string;
  readonly tree: string;
  /** A worktree with this digest holds that tree, and what no tree can; absent where that can not be told. */
  readonly digest?: string;
}

/** What this run knows of a worktree it carved. Kept outside the worktree, where no worker writes. */
export interface AttemptRecord {
  readonly taskId: string;
  readonly attempt: number;
  readonly path: string;
  readonly gitDir: string;
  readonly base: string;
  /** It began with the changes of an earlier attempt. */
  readonly seeded: boolean;
  /** Absolute paths inside it that are not the worker’s. */
  readonly frozen: readonly string[];
  /** Paths that are saved even where git ignores them. */
  readonly produces: readonly string[];
  readonly saved?: SavedState;
  /** What was there when it was released, if that was more than what was saved. */
  readonly after?: SavedState;
  /** Of each look; an older host has written none. */
  readonly indexed?: { readonly [look in Look]?: IndexedTree };
}

/** The folder for what belongs to one attempt and is not its worktree. */
export const attemptFolder = (root: string, taskId: string | number, attempt: number): string =>
  join(root, 'attempts', safeName(taskId), String(attempt));

const fileOf = (root: string, taskId: string | number, attempt: number): string =>
  join(attemptFolder(root, taskId, attempt), 'attempt.json');

/** The index as it was carved. It is copied for use, never written. */
export const carvedIndex = (root: string, taskId: string | number, attempt: number): string =>
  join(attemptFolder(root, taskId, attempt), 'index');

/** Which look at a worktree: that at the worker’s end, or that when it was released. */
export type Look = 'saved' | 'after';

/** The index as it was at a look. */
export const savedIndex = (
  root: string,
  taskId: string | number,
  attempt: number,
  look: Look = 'saved',
): string => join(attemptFolder(root, taskId, attempt), `index-${look}`);

export async function readAttempt(
  root: string,
  taskId: string | number,
  attempt: number,
): Promise<AttemptRecord | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(root, taskId, attempt), 'utf8')) as AttemptRecord;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the record as a whole: a reader sees the old one or the new one. One that tells of saved work lasts. */
export async function writeAttempt(root: string, record: AttemptRecord): Promise<void> {
  const file = fileOf(root, record.taskId, record.attempt);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(record), { flush: record.saved !== undefined });
  await rename(`${file}.new`, file);
}
