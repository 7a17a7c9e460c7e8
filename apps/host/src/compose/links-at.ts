import { treeAt } from './tree-at.ts';

/**
 * The symbolic links and submodules of a commit, each as a path from the root of the clone that `dir` is in; undefined
 * where that can not be told.
 */
export const linksAt = async (
  dir: string,
  commit = 'HEAD',
): Promise<ReadonlySet<string> | undefined> => (await treeAt(dir, commit))?.links;
