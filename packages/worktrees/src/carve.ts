import { copyFile, lstat, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type AttemptRecord,
  attemptFolder,
  carvedIndex,
  readAttempt,
  writeAttempt,
} from './attempt-record.ts';
import { discard } from './discard.ts';
import { codeOf, WorktreeError } from './error.ts';
import { pastLocks } from './git-failure.ts';
import { tipOf } from './integration-branch.ts';
import { copyIndex } from './private-index.ts';
import { safeName } from './safe-name.ts';
import { shown } from './shown.ts';
import type { Site } from './site.ts';

export interface CarveRequest {
  /** Any text; it reaches no ref and no path as it is. */
  readonly taskId: string | number;
  /** 1 or more. */
  readonly attempt: number;
}

/** The folder of one attempt: a linked worktree with a detached HEAD, outside the clone. */
export interface Worktree {
  readonly taskId: string;
  readonly attempt: number;
  readonly path: string;
  /** The worktree’s own part of the clone’s git dir; its `.git` file points there. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The commit that it was carved from. */
  readonly base: string;
}

/** To write all files of a large repository; no worker has a hand in it yet. */
const CHECKOUT_MS = 600_000;

/** Folders to try before giving up: leftovers are stepped around, never removed. */
const MOST_NAMES = 50;

export async function carve(site: Site, { taskId, attempt }: CarveRequest): Promise<Worktree> {
  if (!Number.isSafeInteger(attempt) || attempt < 1)
    throw new WorktreeError(
      'INVALID_ATTEMPT',
      `attempt ${shown(String(attempt))} is not a number of at least 1`,
      'Attempts are counted from 1.',
    );
  await mkdir(attemptFolder(site.root, taskId, attempt), { recursive: true });
  const made = await site.serially(async () => {
    const base = await tipOf(site);
    return { base, ...(await register(site, { taskId, attempt }, base)) };
  });
  try {
    const { base, path, gitDir } = made;
    const index = carvedIndex(site.root, taskId, attempt);
    await site.content.on(path, `${index}.new`)(['read-tree', '--reset', '-u', base], {
      timeoutMs: CHECKOUT_MS,
    });
    await copyIndex(`${index}.new`, index);
    await copyFile(index, join(gitDir, 'index'));
    const record = { taskId: String(taskId), attempt, path, gitDir, base };
    await writeAttempt(site.root, record);
    return worktreeOf(site, record);
  } catch (error) {
    // Nobody has worked in it yet.
    await discard(site, made).catch(() => undefined);
    throw error;
  }
}

export async function findCarved(
  site: Site,
  { taskId, attempt }: CarveRequest,
): Promise<Worktree | undefined> {
  const record = await readAttempt(site.root, taskId, attempt);
  return record && worktreeOf(site, record);
}

const worktreeOf = (
  { commonDir }: Site,
  { taskId, attempt, path, gitDir, base }: AttemptRecord,
): Worktree => ({ taskId, attempt, path, gitDir, commonDir, base });

async function register(
  site: Site,
  { taskId, attempt }: CarveRequest,
  base: string,
): Promise<{ path: string; gitDir: string }> {
  const folder = join(site.root, 'wt', safeName(taskId));
  await mkdir(folder, { recursive: true });
  for (let name = 1; name <= MOST_NAMES; name += 1) {
    const path = join(folder, name === 1 ? String(attempt) : `${attempt}-${name}`);
    if ((await isFree(path)) && (await add(site, path, base)))
      return { path, gitDir: await gitDirOf(site, path) };
    site.warn(`${shown(path)} is in the way and was left alone; another folder is used`);
  }
  throw new WorktreeError(
    'NO_FREE_FOLDER',
    `there are ${MOST_NAMES} leftovers in ${shown(folder)}`,
    'Look what they are, and move them away.',
  );
}

const isFree = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return true;
      throw error;
    },
  );

/**
 * Registers the worktree without files. It is locked, so that no `git worktree prune` takes it; no branch is
 * made, so that nothing is tracked and the clone’s config is not written. False when the path is registered.
 */
async function add({ refs, runId }: Site, path: string, base: string): Promise<boolean> {
  const reason = `atelier run ${shown(runId, 100)}`;
  try {
    await pastLocks(() =>
      refs([
        'worktree',
        'add',
        '--quiet',
        '--detach',
        '--no-checkout',
        '--lock',
        '--reason',
        reason,
        path,
        base,
      ]),
    );
    return true;
  } catch (error) {
    if (error instanceof WorktreeError && /already registered|already exists/.test(error.message))
      return false;
    throw error;
  }
}

async function gitDirOf({ commonDir }: Site, path: string): Promise<string> {
  const pointer = await readFile(join(path, '.git'), 'utf8');
  const gitDir = pointer.replace(/^gitdir: /, '').replace(/\n$/, '');
  if (dirname(gitDir) === join(commonDir, 'worktrees')) return gitDir;
  throw new WorktreeError(
    'GIT_FAILED',
    `git registered ${shown(path)} in an unexpected place: ${shown(gitDir)}`,
    'Report this together with the version of git.',
  );
}
