import { treeOf } from '../content/tree-of.ts';
import type { Desk } from '../content/untracked.ts';
import { listWorktree } from '../content/worktree-listing.ts';
import { nameOf } from '../git/nul-list.ts';
import type { SavedState } from './attempt-record.ts';

/**
 * True while a worktree holds exactly what a look saved of it, and what that could not take. The desk’s index is a
 * copy of the one of that look. An index alone proves nothing: a salvage that was cut short leaves a newer one than
 * the commit, so it must say the same as the commit does.
 */
export async function holdsNothingNew(
  desk: Desk,
  { base, commit = base, refused }: Pick<SavedState, 'base' | 'commit' | 'refused'>,
): Promise<boolean> {
  const { content, path, index } = desk;
  const { text: tree } = await content.on(path, index)(['write-tree']);
  if (tree !== (await treeOf(content.objects, commit))) return false;
  const { gone, present } = await listWorktree(desk);
  return gone.length === 0 && present.every((name) => refused.includes(nameOf(name)));
}
