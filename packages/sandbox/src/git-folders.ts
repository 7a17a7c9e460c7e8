import { closeSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SandboxError } from './error.ts';
import { quoted } from './quoted.ts';

/** Where the git data of a worktree lies. Real paths. */
export interface GitFolders {
  /** `.git` of the worktree: the pointer file of a linked worktree, or the folder itself. */
  readonly pointer: string;
  /** The repository's common git folder: readable, never writable. */
  readonly common: string;
  /** Run data in the common folder, hidden from workers; undefined while there is none. */
  readonly journal: string | undefined;
}

const LONGEST_POINTER = 4096;

/**
 * Follows the `.git` of a worktree. A pointer must lead to a git folder that names this worktree in return, as git
 * writes it: one that leads elsewhere would open a foreign folder to the worker. Throws `SANDBOX_GIT_POINTER`.
 */
export function gitFolders(worktree: string): GitFolders {
  const pointer = join(worktree, '.git');
  const kind = statOf(pointer);
  if (kind?.isDirectory()) return { pointer, common: pointer, journal: journalIn(pointer) };
  if (!kind?.isFile())
    throw mistrusted(worktree, kind ? 'it is neither a file nor a folder' : 'there is none');
  try {
    const target = /^gitdir: (.+)$/u.exec(lineOf(pointer))?.[1];
    if (target === undefined) throw mistrusted(worktree, 'it has no "gitdir:" line');
    const folder = realpathSync.native(resolve(worktree, target));
    const common = realpathSync.native(resolve(folder, lineOf(join(folder, 'commondir'))));
    const back = resolve(folder, lineOf(join(folder, 'gitdir')));
    if (
      dirname(folder) !== join(common, 'worktrees') ||
      realpathSync.native(dirname(back)) !== worktree
    )
      throw mistrusted(worktree, `${quoted(folder)} does not belong to it`);
    return { pointer, common, journal: journalIn(common) };
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw mistrusted(worktree, 'it leads to no git folder of a linked worktree', error);
  }
}

function journalIn(common: string): string | undefined {
  const path = join(common, 'atelier');
  const kind = statOf(path);
  if (!kind) return undefined;
  if (kind.isDirectory()) return path;
  throw new SandboxError(
    'SANDBOX_GIT_POINTER',
    `${quoted(path)} is not a folder, so it can not be hidden from workers`,
    'Move it away; the folder of that name holds the run data.',
  );
}

const statOf = (path: string): Stats | undefined => lstatSync(path, { throwIfNoEntry: false });

/** The first line of a small file. */
function lineOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(LONGEST_POINTER);
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, LONGEST_POINTER, 0));
    return text.split('\n', 1)[0] ?? '';
  } finally {
    closeSync(file);
  }
}

const mistrusted = (worktree: string, why: string, cause?: unknown): SandboxError =>
  new SandboxError(
    'SANDBOX_GIT_POINTER',
    `the .git of the worktree ${quoted(worktree)} can not be trusted: ${why}`,
    'Give a worktree that "git worktree add" made, or a clone; "git worktree repair" mends a moved one.',
    cause,
  );
