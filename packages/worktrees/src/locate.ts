import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, WorktreeError } from './error.ts';
import { discoveringGit } from './git/git.ts';
import { assertGitVersion } from './git/git-version.ts';
import { shown } from './shown.ts';

/** Where a clone keeps its parts; absolute, without symbolic links. */
export interface Location {
  readonly topLevel: string;
  /** Of this checkout; for a linked worktree not the common one. */
  readonly gitDir: string;
  readonly commonDir: string;
}

/** Finds the clone that `dir` is in. Throws `NOT_A_REPOSITORY`, `BARE_REPOSITORY`, `GIT_TOO_OLD`, `GIT_MISSING`. */
export async function locate(dir: string): Promise<Location> {
  const asked = resolve(dir);
  const folder = await realpath(asked).catch(() => asked);
  if (!(await isFolder(folder))) throw notARepository(asked);
  const git = discoveringGit(folder);
  await assertGitVersion(git);
  const bare = await git(['rev-parse', '--is-bare-repository']).catch((error: unknown) => {
    throw codeOf(error) === 'GIT_FAILED' ? notARepository(asked, error) : error;
  });
  if (bare.text === 'true')
    throw new WorktreeError(
      'BARE_REPOSITORY',
      `${shown(asked)} is a bare repository`,
      'Name a clone with a work tree: git clone it, and run there.',
    );
  const { text } = await git(['rev-parse', '--is-inside-work-tree']);
  if (text !== 'true')
    throw new WorktreeError(
      'NOT_A_REPOSITORY',
      `${shown(asked)} is inside a git dir, not in a work tree`,
      'Name the folder that holds the files.',
    );
  const path = async (what: string) => {
    const { stdout } = await git(['rev-parse', '--path-format=absolute', what]);
    return realpath(stdout.toString('utf8').replace(/\n$/, ''));
  };
  const [topLevel, gitDir, commonDir] = await Promise.all([
    path('--show-toplevel'),
    path('--git-dir'),
    path('--git-common-dir'),
  ]);
  return { topLevel, gitDir, commonDir };
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const notARepository = (dir: string, cause?: unknown): WorktreeError =>
  new WorktreeError(
    'NOT_A_REPOSITORY',
    `${shown(dir)} is not in a git repository`,
    'Name a folder of a git clone, or make one with git init and a first commit.',
    cause,
  );
