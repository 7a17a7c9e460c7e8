import { isAsSaved } from '../content/snapshot.ts';
import { treeOf } from '../content/tree-of.ts';
import { codeOf } from '../error.ts';
import type { Site } from '../site.ts';
import { type AttemptRecord, type Look, readAttempt } from './attempt-record.ts';
import type { AttemptName } from './carve.ts';
import { isHeadAt } from './head-of.ts';

const NOT_AS_SAVED: ReadonlySet<unknown> = new Set([
  'WORKTREE_GONE',
  'SALVAGE_TOO_LARGE',
  'SALVAGE_INCOMPLETE',
]);

export async function unchanged(site: Site, { taskId, attempt }: AttemptName): Promise<boolean> {
  const record = await readAttempt(site.root, taskId, attempt);
  if (!record?.saved) return false;
  const { base, commit = base } = record.saved;
  const tree = await treeOf(site.content.reader, commit);
  return isAt(site, record, { look: 'saved', tree }).catch((error: unknown) => {
    if (NOT_AS_SAVED.has(codeOf(error))) return false;
    throw error;
  });
}

/** True while files and HEAD are what a look at the worktree saw. The tree is that of its commit. */
export async function isAt(
  site: Site,
  record: AttemptRecord,
  { look, tree }: { readonly look: Look; readonly tree: string },
): Promise<boolean> {
  const seen = record[look];
  if (!seen) return false;
  const { refused, head } = seen;
  return (await isAsSaved(site, record, look, { tree, refused })) && isHeadAt(site, record, head);
}
