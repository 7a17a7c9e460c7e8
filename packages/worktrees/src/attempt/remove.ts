import { WorktreeError } from '../error.ts';
import { shown, shownNames } from '../shown.ts';
import type { Site } from '../site.ts';
import { readAttempt } from './attempt-record.ts';
import type { Worktree } from './carve.ts';
import { discard } from './discard.ts';
import { notCarved } from './not-carved.ts';
import { savedTree } from './saved-tree.ts';
import { isAt } from './unchanged.ts';

/** Whether a worktree went, or why it stays: it holds what no tree can. */
export type Removal =
  | { readonly kind: 'removed' }
  | { readonly kind: 'kept'; readonly why: string };

/** Looks again before it deletes: what was written after the last look is not saved by it. */
export async function remove(
  site: Site,
  worktree: Pick<Worktree, 'taskId' | 'attempt' | 'path'>,
): Promise<Removal> {
  const { path, taskId, attempt } = worktree;
  const record = await readAttempt(site.root, taskId, attempt);
  if (record?.path !== path) throw notCarved(worktree);
  const { saved, after } = record;
  if (!saved) throw notSalvaged(path, 'its content was never saved');
  const tree = await savedTree(site, { ...record, saved });
  if (tree === undefined) throw notSalvaged(path, 'the ref of its work has gone');
  if (!(await isAt(site, record, { look: after ? 'after' : 'saved', tree })))
    throw notSalvaged(path, 'it changed after it was saved');
  const unsaved = [saved, after ?? saved].flatMap(({ nested, refused }) => [...nested, ...refused]);
  if (unsaved.length > 0)
    return {
      kind: 'kept',
      why: `it holds what a commit can not: ${shownNames([...new Set(unsaved)])}`,
    };
  await discard(site, record);
  return { kind: 'removed' };
}

const notSalvaged = (path: string, why: string): WorktreeError =>
  new WorktreeError(
    'NOT_SALVAGED',
    `${shown(path)} was kept: ${why}`,
    'Salvage it, then remove it.',
  );
