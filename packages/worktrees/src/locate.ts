import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { codeOf, WorktreeError } from './error.ts';
import { discoveringGit, type Git } from './git/git.ts';
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
  const asking = git(['rev-parse', '--is-bare-repository', '--is-inside-work-tree']);
  const { text: kind } = await asking.catch((error: unknown) => {
    throw codeOf(error) === 'GIT_FAILED' ? notARepository(asked, error) : error;
  });
  if (kind.startsWith('true'))
    throw new WorktreeError(
      'BARE_REPOSITORY',
      `${shown(asked)} is a bare repository`,
      'Name a clone with a work tree: git clone it, and run there.',
    );
  if (!kind.endsWith('true'))
    throw new WorktreeError(
      'NOT_A_REPOSITORY',
      `${shown(asked)} is inside a git dir, not in a work tree`,
      'Name the folder that holds the files.',
    );
  const [topLevel, gitDir, commonDir] = await pathsOf(git, [
    '--show-toplevel',
    '--git-dir',
    '--git-common-dir',
  ]);
  return { topLevel, gitDir, commonDir };
}

type Three = readonly [string, string, string];

/** Asked one by one where the answers can not be told apart: a path can have a line break in it. */
async function pathsOf(git: Git, asked: Three): Promise<Three> {
  const ask = async (...what: string[]) =>
    (await git(['rev-parse', '--path-format=absolute', ...what])).stdout
      .toString('utf8')
      .replace(/\n$/, '');
  const lines = (await ask(...asked)).split('\n');
  const [one = '', two = '', three = ''] =
    lines.length === asked.length ? lines : await Promise.all(asked.map((what) => ask(what)));
  return Promise.all([realpath(one), realpath(two), realpath(three)]);
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
