import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, WorktreeError } from '../error.ts';
import type { Git } from '../git/git.ts';
import { moveRef } from '../integration/integration-branch.ts';
import { shown } from '../shown.ts';
import { findSaved } from './find-saved.ts';
import { type Clone, type Tools, withContent } from './with-content.ts';

/** Where saved work is to go: a new branch, or a new folder of files without a repository. */
export type RestoreRequest =
  | { readonly ref: string; readonly branch: string }
  | { readonly ref: string; readonly to: string };

/** What was made. */
export type Restored =
  | { readonly kind: 'branch'; readonly branch: string; readonly commit: string }
  | { readonly kind: 'folder'; readonly path: string; readonly commit: string };

/**
 * Gives saved work back as something new. HEAD, the index and the files of the clone are not touched. Throws
 * `NO_SUCH_SALVAGE`, `INVALID_BRANCH`, `BRANCH_EXISTS`, `DESTINATION_EXISTS`, `DESTINATION_MISSING` and
 * `DESTINATION_INSIDE_CLONE`.
 */
export const restoreSalvage = (repository: Clone, request: RestoreRequest): Promise<Restored> =>
  withContent(repository, async (tools) => {
    const { commit } = await findSaved(tools.refs, request.ref);
    return 'branch' in request
      ? makeBranch(tools.refs, request.branch, commit)
      : writeFolder(repository, tools, { to: request.to, commit });
  });

async function makeBranch(refs: Git, branch: string, commit: string): Promise<Restored> {
  const check = await refs(['check-ref-format', '--branch', branch], { answers: [0, 1, 128] });
  // Git expands `@{-1}` and the like; only a name that means itself is one.
  if (check.exitCode !== 0 || check.stdout.toString('utf8') !== `${branch}\n`)
    throw new WorktreeError(
      'INVALID_BRANCH',
      `${shown(branch)} is not a name for a branch`,
      'See git check-ref-format for what a name may hold.',
    );
  const to = { from: undefined, to: commit, why: 'atelier: restore' };
  if (await moveRef({ refs }, `refs/heads/${branch}`, to))
    return { kind: 'branch', branch, commit };
  throw new WorktreeError(
    'BRANCH_EXISTS',
    `there is a branch ${shown(branch)}`,
    'Choose another name; a branch that exists is never moved.',
  );
}

const CHECKOUT_MS = 600_000;

async function writeFolder(
  { topLevel, commonDir }: Clone,
  { content, draft }: Tools,
  { to, commit }: { readonly to: string; readonly commit: string },
): Promise<Restored> {
  const asked = resolve(to);
  const parent = await realpath(dirname(asked)).catch(() => {
    throw new WorktreeError(
      'DESTINATION_MISSING',
      `${shown(dirname(asked))} does not exist`,
      'Name a new folder in one that exists.',
    );
  });
  const path = join(parent, basename(asked));
  if ([topLevel, commonDir].some((folder) => `${path}/`.startsWith(join(folder, '/'))))
    throw new WorktreeError(
      'DESTINATION_INSIDE_CLONE',
      `${shown(path)} is inside the clone`,
      'Choose a folder outside, and copy from it what you want.',
    );
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new WorktreeError(
      'DESTINATION_EXISTS',
      `${shown(path)} exists`,
      'Choose a new folder; nothing is ever written over.',
    );
  });
  try {
    const git = content.on(path, join(draft, 'index'));
    await git(['read-tree', '--reset', '-u', '--no-sparse-checkout', commit], {
      timeoutMs: CHECKOUT_MS,
    });
    return { kind: 'folder', path, commit };
  } catch (error) {
    // It was made here a moment ago, and holds nothing else.
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}
