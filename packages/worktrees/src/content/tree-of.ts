import type { Git } from '../git/git.ts';

/** The tree of a commit. */
export const treeOf = async (objects: Git, commit: string): Promise<string> =>
  (await objects(['rev-parse', '--verify', `${commit}^{tree}`])).text;
