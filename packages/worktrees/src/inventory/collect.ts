import { lstat } from 'node:fs/promises';
import { discard } from '../attempt/discard.ts';
import { release } from '../attempt/release.ts';
import { salvage } from '../attempt/salvage.ts';
import { forgetScratch } from '../attempt/scratch-record.ts';
import { codeOf } from '../error.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { type Found, findWorktrees, type Inventory, type LeftWorktree } from './list.ts';
import { listRunFolders, type Recorded, tenantOf } from './run-folders.ts';
import { siteOf } from './site-of.ts';
import { removeUnfurnished } from './unrecorded.ts';

export interface CollectRequest extends Inventory {
  /** Remove only the oldest, until the rest is at most this large. All when absent. */
  readonly maxBytes?: number;
  /** Worktrees of a run that is in use are left alone. */
  readonly isInUse: (runId: string) => boolean;
  /**
   * Worktrees of an attempt whose worker may live are left alone: one that could not be ended, or that only its lock
   * tells of. Nobody when absent.
   */
  readonly isAtLarge?: (
    runId: string,
    attempt: { readonly taskId: string; readonly attempt: number },
  ) => boolean;
  /** Tell what would be removed, and remove nothing. */
  readonly dryRun?: boolean;
}

export interface Collection {
  readonly removed: readonly LeftWorktree[];
  /** In one printable line, why each of the others is still there. */
  readonly kept: readonly { readonly worktree: LeftWorktree; readonly why: string }[];
}

/**
 * Removes the worktrees that runs left, oldest use first. What is in one and not on a ref is saved to its
 * attempt’s first; what can not be saved stays, and is told with the reason. Never throws for one of them. What was
 * registered and never held a file goes untold.
 */
export async function collectWorktrees(request: CollectRequest): Promise<Collection> {
  const { repository, home, maxBytes, isInUse, isAtLarge, dryRun = false } = request;
  const { commonDir } = repository;
  if (!dryRun)
    for (const { root, runId } of await listRunFolders(home))
      if (!isInUse(runId)) await removeUnfurnished({ root, commonDir }).catch(() => undefined);
  const all = await findWorktrees(request);
  let left = all.reduce((sum, { left: { bytes } }) => sum + bytes, 0);
  const removed: LeftWorktree[] = [];
  const kept: { worktree: LeftWorktree; why: string }[] = [];
  for (const found of all) {
    const worktree = found.left;
    const tenant = tenantOf(found.recorded);
    const why = isInUse(worktree.runId)
      ? 'its run is in use'
      : tenant && isAtLarge?.(worktree.runId, tenant)
        ? 'its worker may still live'
        : maxBytes !== undefined && left <= maxBytes && worktree.state !== 'gone'
          ? 'the rest is within the budget'
          : dryRun
            ? undefined
            : await attemptRemoval(repository, found);
    if (why !== undefined) {
      kept.push({ worktree, why });
      continue;
    }
    removed.push(worktree);
    left -= worktree.bytes;
  }
  return { removed, kept };
}

/** Resolves to why it is still there, if it is. */
async function attemptRemoval(
  repository: Inventory['repository'],
  { left, recorded, root }: Found,
): Promise<string | undefined> {
  try {
    const site = await siteOf(repository, { root, runId: left.runId });
    return await removeOne(site, recorded);
  } catch (error) {
    return shown(error instanceof Error ? error.message : String(error));
  }
}

/** Removes one for whoever knows that nobody works in it. Resolves to why it is still there, if it is. */
export async function removeOne(site: Site, recorded: Recorded): Promise<string | undefined> {
  const { kind, record } = recorded;
  if (kind === 'scratch') {
    await discard(site, record);
    await forgetScratch(recorded.folder);
    return undefined;
  }
  const removal = await release(site, record);
  if (removal) return removal.kind === 'kept' ? removal.why : undefined;
  if (await exists(record.path)) return 'something else is in its place';
  // Its files are gone already; commits that only its HEAD holds are not, and are saved before that goes.
  await salvage(site, record, `Commits of attempt ${record.attempt}`).catch((error: unknown) => {
    if (codeOf(error) !== 'WORKTREE_GONE') throw error;
  });
  await discard(site, record);
  return undefined;
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
