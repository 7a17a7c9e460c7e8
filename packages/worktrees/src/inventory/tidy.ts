import { lstat, readdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { discard } from '../attempt/discard.ts';
import { forgetScratch, readScratch } from '../attempt/scratch-record.ts';
import { codeOf } from '../error.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { removeOne } from './collect.ts';
import { removeHalfMade } from './half-made.ts';
import { isRegistered, listRecorded, type Recorded, tenantOf } from './run-folders.ts';
import { listUnrecorded } from './unrecorded.ts';

/** An attempt whose worker could not be ended, and may still be at work in its worktree or checkout. */
export type IsAtLarge = (attempt: {
  readonly taskId: string;
  readonly attempt: number;
}) => boolean | Promise<boolean>;

/**
 * Removes what hosts that were killed have left of a run whose workers have all ended: worktrees, checkouts, half of a
 * registration. Work that is on no ref is saved first, and what can not be saved stays. Warns of what is still there.
 */
export async function tidy(site: Site, isAtLarge: IsAtLarge): Promise<void> {
  await removeHalfMade(site);
  for (const recorded of await listRecorded(site.root, site.commonDir)) {
    const { record } = recorded;
    const tenant = tenantOf(recorded);
    if (tenant && (await isAtLarge(tenant))) continue;
    const why = await removal(site, recorded).catch(messageOf);
    if (why !== undefined) site.warn(`${shown(record.path)} was kept: ${shown(why)}`);
  }
  for (const place of await listUnrecorded(site))
    await discard(site, place).catch((error: unknown) =>
      site.warn(`${shown(place.path)} was kept: ${shown(messageOf(error))}`),
    );
  await forgetDrafts(site);
}

/** Folders of scratch worktrees that were not noted yet, or that have become the worktree of an attempt. */
async function forgetDrafts({ root, commonDir }: Site): Promise<void> {
  const recorded = await listRecorded(root, commonDir);
  const ofAttempts = new Set(
    recorded.flatMap(({ kind, record }) => (kind === 'attempt' ? [record.path] : [])),
  );
  for (const name of await namesIn(join(root, 'scratch'))) {
    const folder = join(root, 'scratch', name);
    const record = await readScratch(folder).catch(() => undefined);
    if (!record || ofAttempts.has(record.path)) await forgetScratch(folder);
  }
}

async function removal(site: Site, recorded: Recorded): Promise<string | undefined> {
  const { record } = recorded;
  const registered = await isRegistered(record);
  if (!registered && !(await isThere(record.path))) {
    // Of a registration the pointer goes last, and then the folder, which is empty by then.
    await rmdir(record.gitDir).catch(() => undefined);
    if (recorded.kind === 'scratch') await forgetScratch(recorded.folder);
    return undefined;
  }
  return removeOne(site, recorded);
}

/** What can not be read is not taken for empty. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
