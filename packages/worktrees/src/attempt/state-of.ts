import { snapshot } from '../content/snapshot.ts';
import { WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { readAttempt } from './attempt-record.ts';
import type { AttemptName } from './carve.ts';
import { headOf } from './head-of.ts';

export async function stateOf(site: Site, { taskId, attempt }: AttemptName): Promise<string> {
  const record = await readAttempt(site.root, taskId, attempt);
  if (!record)
    throw new WorktreeError(
      'WORKTREE_GONE',
      `attempt ${attempt} of task ${shown(String(taskId), 60)} has no worktree`,
      'It was never carved by this run.',
    );
  const [{ tree, nested, refused }, head] = await Promise.all([
    snapshot(site, record),
    headOf(site, record),
  ]);
  return JSON.stringify({ tree, head, nested, refused });
}
