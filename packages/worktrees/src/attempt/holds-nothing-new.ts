import type { Desk } from '../content/untracked.ts';
import { listWorktree } from '../content/worktree-listing.ts';
import { nameOf } from '../git/nul-list.ts';
import type { SavedState } from './attempt-record.ts';

/**
 * True while a worktree holds exactly what a look saved of it, and what that could not take. The desk’s index is a
 * copy of the one of that look, and the tree that of its commit. An index alone proves nothing: a salvage that was cut
 * short leaves a newer one than the commit, so it must say the same as the commit does.
 */
export async function holdsNothingNew(
  desk: Desk,
  { tree, refused }: { readonly tree: string } & Pick<SavedState, 'refused'>,
): Promise<boolean> {
  const { content, path, index } = desk;
  // Of an index that no commit has, trees are written.
  const { text: indexed } = await content.on(path, index)(['write-tree'], { lasting: 'each' });
  if (indexed !== tree) return false;
  const { gone, present } = await listWorktree(desk);
  return gone.length === 0 && present.every((name) => refused.includes(nameOf(name)));
}
