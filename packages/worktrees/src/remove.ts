import { readAttempt } from './attempt-record.ts';
import type { Worktree } from './carve.ts';
import { discard } from './discard.ts';
import { WorktreeError } from './error.ts';
import { commitOf } from './integration-branch.ts';
import { attemptRef, headOf, notCarved } from './salvage.ts';
import { shown, shownNames } from './shown.ts';
import type { Site } from './site.ts';
import { isAsSaved } from './snapshot.ts';

/** Whether a worktree went, or why it stays: it holds what no tree can. */
export type Removal =
  | { readonly kind: 'removed' }
  | { readonly kind: 'kept'; readonly why: string };

/** Looks again before it deletes: what was written after the salvage is not saved by it. */
export async function remove(site: Site, worktree: Worktree): Promise<Removal> {
  const { path, taskId, attempt } = worktree;
  const record = await readAttempt(site.root, taskId, attempt);
  if (record?.path !== path) throw notCarved(worktree);
  const { saved } = record;
  if (!saved) throw notSalvaged(path, 'its content was never saved');
  if (saved.commit !== undefined) {
    const kept = await commitOf(site, attemptRef(site.run, taskId, attempt));
    if (kept !== saved.commit) throw notSalvaged(path, 'the ref of its work has gone');
  }
  const same = await isAsSaved(site, record, saved);
  if (!same || (await headOf(site, record)) !== saved.head)
    throw notSalvaged(path, 'it changed after it was saved');
  const unsaved = [...saved.nested, ...saved.refused];
  if (unsaved.length > 0)
    return { kind: 'kept', why: `it holds what a commit can not: ${shownNames(unsaved)}` };
  await discard(site, record);
  return { kind: 'removed' };
}

const notSalvaged = (path: string, why: string): WorktreeError =>
  new WorktreeError(
    'NOT_SALVAGED',
    `${shown(path)} was kept: ${why}`,
    'Salvage it, then remove it.',
  );
