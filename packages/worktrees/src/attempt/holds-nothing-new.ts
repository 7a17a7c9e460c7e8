import type { Desk } from '../content/untracked.ts';
import { differs } from '../content/worktree-listing.ts';
import type { IndexedTree, SavedState } from './attempt-record.ts';
import { hashOfFile } from './hash-of-file.ts';

interface Seen extends Pick<SavedState, 'refused'> {
  readonly tree: string;
  /** What the look has noted of its index. */
  readonly indexed?: IndexedTree | undefined;
}

/**
 * True while a worktree holds exactly what a look saved of it, and what that could not take. The desk’s index is a
 * copy of the one of that look, and the tree that of its commit. An index alone proves nothing: a salvage that was cut
 * short leaves a newer one than the commit, so it must say the same as the commit does.
 */
export async function holdsNothingNew(
  desk: Desk,
  { tree, indexed, refused }: Seen,
): Promise<boolean> {
  if ((await treeIn(desk, indexed)) !== tree) return false;
  return !(await differs(desk, refused));
}

/** The tree that the desk’s index stands for: the noted one where it is that index to the byte. */
async function treeIn(
  { content, path, index }: Desk,
  noted: IndexedTree | undefined,
): Promise<string> {
  if (noted && (await hashOfFile(index)) === noted.sha256) return noted.tree;
  // Of an index that no commit has, trees are written.
  return (await content.on(path, index)(['write-tree'], { lasting: 'each' })).text;
}
