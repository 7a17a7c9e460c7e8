import { fileChanges } from '../content/change-set.ts';
import type { ChangedPath } from '../content/changed-paths.ts';
import { snapshot } from '../content/snapshot.ts';
import type { Site } from '../site.ts';
import { readAttempt, writeAttempt } from './attempt-record.ts';
import { attemptRef } from './attempt-ref.ts';
import type { Worktree } from './carve.ts';
import { originsOf } from './head-of.ts';
import { keep, keepCommits } from './keep.ts';
import { notCarved } from './not-carved.ts';

/** The work of one attempt, on a ref of its own. */
export interface Salvage {
  readonly commit: string;
  /** The commit that the worktree was carved from; always an ancestor. */
  readonly base: string;
  readonly ref: string;
  readonly changed: readonly ChangedPath[];
  /** Repositories inside the worktree. Their files are saved, their history is not, and the worktree stays. */
  readonly nested: readonly string[];
  /** Files with names that git does not take. The worktree stays. */
  readonly refused: readonly string[];
}

export interface SalvageOptions {
  /** Its worker may still be at work, so that this is not yet what it has left. False when absent. */
  readonly provisional?: boolean;
}

export async function salvage(
  site: Site,
  worktree: Pick<Worktree, 'taskId' | 'attempt' | 'path'>,
  message: string,
  { provisional = false }: SalvageOptions = {},
): Promise<Salvage | undefined> {
  const { taskId, attempt } = worktree;
  const record = await readAttempt(site.root, taskId, attempt);
  if (record?.path !== worktree.path) throw notCarved(worktree);
  const ref = attemptRef(site.run, taskId, attempt);
  const { base } = record;
  const origins = await originsOf(site.names, record, { ref, floor: base });
  const known = { ...origins, ref, message, taskId };
  const content = await snapshot(site, record, 'saved').catch(async (error: unknown) => {
    await keepCommits(site, known, error);
    throw error;
  });
  const commit = await keep(site, known, content);
  const changed = commit === undefined ? [] : await changesOf(site, base, commit);
  const { ignored, nested, refused } = content;
  const head = origins.head.commit;
  const saved = {
    ...{ base, head, changed: changed.length, ignored, nested, refused },
    ...(provisional && { provisional }),
  };
  const { after: _, ...rest } = record;
  const { indexed } = content;
  await writeAttempt(site.root, {
    ...rest,
    indexed: { saved: indexed },
    saved: commit === undefined ? saved : { ...saved, commit },
  });
  if (commit === undefined) return undefined;
  return { commit, base, ref, changed, nested, refused };
}

/** A stop waits for it, and most who ask what was saved ask for the lines as well. */
const COUNTING_MS = 5_000;

async function changesOf(site: Site, base: string, commit: string): Promise<ChangedPath[]> {
  const changes = await fileChanges(site, base, commit, { timeoutMs: COUNTING_MS });
  return changes.map(({ path, status }) => ({ path, status }));
}
