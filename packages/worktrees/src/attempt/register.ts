import { lstat, mkdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf, WorktreeError } from '../error.ts';
import { pastLocks } from '../git/git-failure.ts';
import { readPlainRef } from '../git/plain-ref.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { addByHand } from './add-by-hand.ts';

/** A linked worktree with a detached HEAD. */
export interface Place {
  readonly path: string;
  /** The worktree’s own part of the clone’s git dir. */
  readonly gitDir: string;
  /** The commit that HEAD was at first. */
  readonly base: string;
}

interface Wish {
  readonly folder: string;
  readonly name: string;
  /** The full name of a commit, or of a tag of one. */
  readonly base: string;
}

/** Folders to try before giving up: leftovers are stepped around, never removed. */
const MOST_NAMES = 50;

/** Makes a worktree without files in a folder below `<root>/wt`. Throws `NO_FREE_FOLDER`. */
export async function register(site: Site, { folder, name, base }: Wish): Promise<Place> {
  const parent = join(site.root, 'wt', folder);
  await mkdir(parent, { recursive: true });
  for (let count = 1; count <= MOST_NAMES; count += 1) {
    const path = join(parent, count === 1 ? name : `${name}-${count}`);
    if ((await isFree(path)) && (await add(site, path, base))) return placed(site, path);
    site.warn(`${shown(path)} is in the way and was left alone; another folder is used`);
  }
  throw new WorktreeError(
    'NO_FREE_FOLDER',
    `there are ${MOST_NAMES} leftovers in ${shown(parent)}`,
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
async function add(site: Site, path: string, base: string): Promise<boolean> {
  const { refs, runId } = site;
  const reason = `atelier run ${shown(runId, 100)}`;
  const byHand = await addByHand(site, { path, base, reason });
  if (byHand !== undefined) return byHand;
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

/** The worktree as git has registered it. */
async function placed(site: Site, path: string): Promise<Place> {
  const gitDir = await gitDirOf(site, path);
  const head = await readPlainRef(join(gitDir, 'HEAD'));
  const base =
    head?.kind === 'commit'
      ? head.commit
      : (await site.refs(['rev-parse', '--verify', `worktrees/${basename(gitDir)}/HEAD`])).text;
  return { path, gitDir, base };
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
