import { askGit } from './ask-git.ts';

/** The modes of symbolic links and of submodules. */
const ELSEWHERE = /^1[26]0000 /u;

/**
 * The symbolic links and submodules of a commit, each as a path from the root of the clone that `dir` is in; undefined
 * where that can not be told.
 */
export async function linksAt(
  dir: string,
  commit = 'HEAD',
): Promise<ReadonlySet<string> | undefined> {
  const listing = await askGit(dir, ['ls-tree', '-r', '-z', '--full-tree', commit, '--']);
  if (listing === undefined) return undefined;
  const lines = listing.split('\0').filter((line) => ELSEWHERE.test(line));
  return new Set(lines.map((line) => line.slice(line.indexOf('\t') + 1)));
}
