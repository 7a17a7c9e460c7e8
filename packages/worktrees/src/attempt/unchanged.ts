import { isAsSaved } from '../content/snapshot.ts';
import { codeOf } from '../error.ts';
import type { Site } from '../site.ts';
import { type AttemptRecord, type Look, readAttempt } from './attempt-record.ts';
import type { AttemptName } from './carve.ts';
import { headOf } from './head-of.ts';

const NOT_AS_SAVED: ReadonlySet<unknown> = new Set([
  'WORKTREE_GONE',
  'SALVAGE_TOO_LARGE',
  'SALVAGE_INCOMPLETE',
]);

export async function unchanged(site: Site, { taskId, attempt }: AttemptName): Promise<boolean> {
  const record = await readAttempt(site.root, taskId, attempt);
  if (!record?.saved) return false;
  return isAt(site, record, 'saved').catch((error: unknown) => {
    if (NOT_AS_SAVED.has(codeOf(error))) return false;
    throw error;
  });
}

/** True while files and HEAD are what a look at the worktree saw. */
export async function isAt(site: Site, record: AttemptRecord, look: Look): Promise<boolean> {
  const seen = record[look];
  if (!seen) return false;
  return (await isAsSaved(site, record, seen, look)) && (await headOf(site, record)) === seen.head;
}
