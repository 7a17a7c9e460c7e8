import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttemptRecord, type SavedState, savedIndex } from '../attempt/attempt-record.ts';
import { isHeadAt } from '../attempt/head-of.ts';
import { holdsNothingNew } from '../attempt/holds-nothing-new.ts';
import { savedTree } from '../attempt/saved-tree.ts';
import { copyIndex } from '../content/private-index.ts';
import type { Site } from '../site.ts';

/** Whether all that is in a worktree is on a ref. Where it can not be told, it is not. */
export type KeptState = 'saved' | 'unsaved' | 'changed-since-saved';

/**
 * Compares a worktree with what was saved of it, and changes nothing in it: somebody may be at work there. It must
 * have been found plain.
 */
export async function keptState(site: Site, record: AttemptRecord): Promise<KeptState> {
  const { saved, after } = record;
  if (!saved) return 'unsaved';
  const tree = await savedTree(site, { ...record, saved });
  if (tree === undefined) return 'unsaved';
  const { head, refused } = after ?? saved;
  const same =
    (await isHeadAt(site, record, head)) &&
    (await isAsSeen(site, record, { tree, refused }).catch(() => false));
  return same ? 'saved' : 'changed-since-saved';
}

async function isAsSeen(
  site: Site,
  { path, taskId, attempt, frozen, produces, after, indexed }: AttemptRecord,
  seen: { readonly tree: string } & Pick<SavedState, 'refused'>,
): Promise<boolean> {
  const look = after ? 'after' : 'saved';
  const draft = await mkdtemp(join(tmpdir(), 'atelier-index-'));
  try {
    const index = join(draft, 'index');
    await copyIndex(savedIndex(site.root, taskId, attempt, look), index);
    const desk = { content: site.content, path, index, frozen, produces };
    return await holdsNothingNew(desk, { ...seen, indexed: indexed?.[look] });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
