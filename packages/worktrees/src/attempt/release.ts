import { lstat } from 'node:fs/promises';
import { changedPaths } from '../content/changed-paths.ts';
import { snapshot } from '../content/snapshot.ts';
import { codeOf } from '../error.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import {
  type AttemptRecord,
  readAttempt,
  type SavedState,
  writeAttempt,
} from './attempt-record.ts';
import { attemptRef } from './attempt-ref.ts';
import type { AttemptName } from './carve.ts';
import { originsOf } from './head-of.ts';
import { keep } from './keep.ts';
import { type Removal, remove } from './remove.ts';
import { salvage } from './salvage.ts';

/**
 * The attempt’s own ref does not move for what came after its worker’s end: a command that checks the work may
 * leave files, and they are not the work.
 */
export async function release(
  site: Site,
  { taskId, attempt }: AttemptName,
): Promise<Removal | undefined> {
  const record = await readAttempt(site.root, taskId, attempt);
  if (!record || !(await isThere(record.path))) return undefined;
  const message = `${attempt} of task ${shown(record.taskId, 60)}`;
  const trailer = `\n\nAtelier-Run: ${shown(site.runId, 100)}`;
  const saved = record.saved?.provisional ? undefined : record.saved;
  if (!saved) await salvage(site, record, `Attempt ${message}${trailer}`);
  try {
    return await remove(site, record);
  } catch (error) {
    if (!saved || codeOf(error) !== 'NOT_SALVAGED') throw error;
  }
  await keepRest(site, record, saved, `Left after attempt ${message}${trailer}`);
  return remove(site, record);
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function keepRest(
  site: Site,
  record: AttemptRecord,
  saved: SavedState,
  message: string,
): Promise<void> {
  const { taskId, attempt, base } = record;
  const ref = attemptRef(site.run, taskId, attempt, 'after');
  const floor = saved.commit ?? base;
  const origins = await originsOf(site.names, record, { ref, floor });
  const head = origins.head.commit;
  const { tree, indexed, ignored, nested, refused } = await snapshot(site, record, 'after');
  const commit = await keep(site, { ...origins, ref, message, taskId }, { tree });
  const changed = commit === undefined ? 0 : (await changedPaths(site, floor, commit)).length;
  const after = { base: floor, head, changed, ignored, nested, refused };
  await writeAttempt(site.root, {
    ...record,
    indexed: { ...record.indexed, after: indexed },
    after: commit === undefined ? after : { ...after, commit },
  });
}
