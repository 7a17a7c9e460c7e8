import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttemptRecord, type SavedState, savedIndex } from '../attempt/attempt-record.ts';
import { attemptRef } from '../attempt/attempt-ref.ts';
import { headOf } from '../attempt/head-of.ts';
import { holdsNothingNew } from '../attempt/holds-nothing-new.ts';
import { copyIndex } from '../content/private-index.ts';
import { commitOf } from '../integration/integration-branch.ts';
import type { Site } from '../site.ts';

/** Whether all that is in a worktree is on a ref. Where it can not be told, it is not. */
export type KeptState = 'saved' | 'unsaved' | 'changed-since-saved';

/**
 * Compares a worktree with what was saved of it, and changes nothing in it: somebody may be at work there. It must
 * have been found plain.
 */
export async function keptState(site: Site, record: AttemptRecord): Promise<KeptState> {
  const { saved, after, taskId, attempt } = record;
  if (!saved) return 'unsaved';
  for (const look of ['saved', 'after'] as const) {
    const commit = record[look]?.commit;
    const ref = attemptRef(site.run, taskId, attempt, look);
    if (commit !== undefined && (await commitOf(site, ref)) !== commit) return 'unsaved';
  }
  const seen = after ?? saved;
  const same =
    (await headOf(site, record)) === seen.head &&
    (await isAsSeen(site, record, seen).catch(() => false));
  return same ? 'saved' : 'changed-since-saved';
}

async function isAsSeen(
  site: Site,
  { path, taskId, attempt, frozen, produces, after }: AttemptRecord,
  seen: SavedState,
): Promise<boolean> {
  const draft = await mkdtemp(join(tmpdir(), 'atelier-index-'));
  try {
    const index = join(draft, 'index');
    await copyIndex(savedIndex(site.root, taskId, attempt, after ? 'after' : 'saved'), index);
    return await holdsNothingNew({ content: site.content, path, index, frozen, produces }, seen);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
