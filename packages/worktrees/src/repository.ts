import { basename, dirname, join } from 'node:path';
import { assertNoFilters } from './content/filters.ts';
import { tracks } from './content/tracks.ts';
import { WorktreeError } from './error.ts';
import { type Git, gitAt } from './git/git.ts';
import { readPlainHead } from './git/plain-ref.ts';
import {
  type CheckoutMerge,
  type CheckoutMerged,
  mergeIntoCheckout,
} from './integration/merge-into-checkout.ts';
import { type Location, locate } from './locate.ts';
import type { Run, RunRequest } from './run.ts';
import { safeName } from './safe-name.ts';
import { shown } from './shown.ts';
import { startRun } from './start-run.ts';

export interface RepositoryOptions {
  /** A folder of the clone: its top, one below, or a linked worktree. */
  readonly dir: string;
  /** Filters that tracked files may be stored through. They do not run: workers see what is stored. */
  readonly allowFilters?: readonly string[];
}

/** A clone that runs can be started in. All paths are absolute and without symbolic links. */
export interface Repository {
  readonly topLevel: string;
  /** The checkout that the git dir is in, for a linked worktree another one; absent where it is in none. */
  readonly mainTopLevel?: string;
  /** The git dir that all worktrees of the clone share. */
  readonly commonDir: string;
  /** Where a run’s journal and lock belong: hidden from workers, safe from `git clean`. Not created here. */
  readonly stateDir: string;
  /** The commit that HEAD was at when the repository was opened; where runs start. */
  readonly head: string;
  /** The branch of HEAD; absent when it is detached. */
  readonly branch?: string;
  /** Names this clone in paths, the same from every worktree of it. */
  readonly id: string;
  /**
   * Whether git tracks a file of this checkout or of the main one, or a link or submodule on the way to it, by whatever
   * spelling the file system takes for it. Throws a `WorktreeError` where git fails.
   */
  tracks(path: string, checkout?: 'this' | 'main'): Promise<boolean>;
  /**
   * Makes or finds the integration branch of a run. Throws `RUN_BRANCH_EXISTS`, `RUN_BRANCH_MISSING`,
   * `ROOT_INSIDE_CLONE`, `ROOT_IN_USE`, and `INVALID_EQUIPMENT` before it touches anything.
   */
  startRun(request: RunRequest): Promise<Run>;
  /**
   * Merges a commit into the branch that is checked out where the repository was opened, and writes its files: the
   * one thing here that moves what is the user’s. A refusal has changed nothing. Edits that are not in the way stay
   * as they are; submodules are not touched.
   */
  mergeIntoCheckout(request: CheckoutMerge): Promise<CheckoutMerged>;
}

/**
 * Opens the clone that `dir` is in. It may be dirty, detached or a linked worktree, and is only read. Throws a
 * `WorktreeError`: `NOT_A_REPOSITORY`, `BARE_REPOSITORY`, `NO_COMMITS`, `PARTIAL_CLONE`, `FILTER_IN_USE`,
 * `GIT_TOO_OLD`, `GIT_MISSING`.
 */
export async function openRepository({
  dir,
  allowFilters = [],
}: RepositoryOptions): Promise<Repository> {
  const { topLevel, gitDir, commonDir } = await locate(dir);
  const checkout = gitAt({ gitDir, workTree: topLevel, cwd: topLevel });
  const { head, branch } = await headOf(checkout, { topLevel, gitDir, commonDir });
  const refs = gitAt({ gitDir: commonDir, workTree: topLevel, cwd: topLevel });
  await assertComplete(refs, topLevel);
  await assertNoFilters(refs, commonDir, head, allowFilters);
  const mainTopLevel = basename(commonDir) === '.git' ? dirname(commonDir) : undefined;
  const name = mainTopLevel ?? commonDir;
  const place = { topLevel, commonDir, head };
  return {
    ...place,
    ...(mainTopLevel === undefined ? {} : { mainTopLevel }),
    ...(branch === undefined ? {} : { branch }),
    stateDir: join(commonDir, 'atelier'),
    id: safeName(basename(name)).replace(/[0-9a-f]{12}$/, '') + hashOfPath(commonDir),
    tracks: (path, checkout = 'this') =>
      checkout === 'this' || mainTopLevel === undefined
        ? tracks({ gitDir, topLevel }, path)
        : tracks({ gitDir: commonDir, topLevel: mainTopLevel }, path),
    startRun: (request) => startRun({ ...place, refs }, request),
    mergeIntoCheckout: (request) =>
      mergeIntoCheckout({ checkout, refs, topLevel, commonDir }, request),
  };
}

const hashOfPath = (path: string): string => safeName(path).slice(-12);

async function headOf(
  git: Git,
  { topLevel, ...place }: Location,
): Promise<{ head: string; branch?: string }> {
  const branch = (await symbolicHead(git, place))?.replace(/^refs\/heads\//, '');
  const commit = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    answers: [0, 1, 128],
  });
  if (commit.exitCode !== 0)
    throw new WorktreeError(
      'NO_COMMITS',
      `there are no commits in ${shown(topLevel)}${branch === undefined ? '' : ` on ${shown(branch)}`}`,
      'Make a first commit; work is carved from it and merged onto it.',
    );
  return { head: commit.text, ...(branch === undefined ? {} : { branch }) };
}

/** The branch of HEAD in full; `undefined` when it is detached. */
async function symbolicHead(
  git: Git,
  place: { readonly gitDir: string; readonly commonDir: string },
): Promise<string | undefined> {
  const plain = await readPlainHead(place);
  if (plain?.kind === 'detached') return undefined;
  if (plain) return plain.ref;
  const { exitCode, text } = await git(['symbolic-ref', '--quiet', 'HEAD'], { answers: [0, 1] });
  return exitCode === 0 ? text : undefined;
}

/** Missing objects would be fetched in the middle of a merge, by programs that the config names. */
async function assertComplete(git: Git, topLevel: string): Promise<void> {
  const { exitCode } = await git(
    ['config', '--get-regexp', '^(extensions\\.partialclone|remote\\..*\\.promisor)$'],
    { answers: [0, 1] },
  );
  if (exitCode === 0)
    throw new WorktreeError(
      'PARTIAL_CLONE',
      `${shown(topLevel)} is a partial clone: objects may be missing`,
      'Use a full clone: git clone without --filter.',
    );
}
