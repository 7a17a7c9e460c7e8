import type { Git } from '../git/git.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';

/** What came of merging two commits. */
export type MergedTree =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

/** Merges two commits three ways without a work tree. */
export async function mergeCommits(git: Git, ours: string, theirs: string): Promise<MergedTree> {
  const { exitCode, stdout } = await git(
    ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs],
    { answers: [0, 1] },
  );
  const [tree = '', ...paths] = splitNul(stdout).map(nameOf);
  return exitCode === 0
    ? { kind: 'clean', tree }
    : { kind: 'conflict', paths: paths.filter((path) => path !== '') };
}

/** The merge on the first-parent line of `tip` that brought `commit` in; `undefined` when none did. */
export async function mergeOf(git: Git, commit: string, tip: string): Promise<string | undefined> {
  const contained = await git(['merge-base', '--is-ancestor', commit, tip], { answers: [0, 1] });
  if (contained.exitCode === 1) return undefined;
  const { text } = await git(['rev-list', '--first-parent', '--parents', `${commit}..${tip}`]);
  const line = text.split('\n').find((one) => one.split(' ')[2] === commit);
  return line?.split(' ')[0] ?? tip;
}
