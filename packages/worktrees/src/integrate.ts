import { WorktreeError } from './error.ts';
import { assertNotCheckedOut, moveRef, tipOf } from './integration-branch.ts';
import { mergeCommits, mergeOf } from './merge-commits.ts';
import { shown } from './shown.ts';
import type { Site } from './site.ts';

/** Salvaged work that is to be merged. */
export interface Offer {
  readonly taskId: string | number;
  readonly commit: string;
}

/** What came of one offer. `commit` is the merge that brought it onto the integration branch. */
export type Merge =
  | { readonly kind: 'merged'; readonly taskId: string | number; readonly commit: string }
  | {
      readonly kind: 'conflict';
      readonly taskId: string | number;
      readonly paths: readonly string[];
    };

/** Merges again, onto what is there now, when somebody else moved the branch meanwhile. */
const MOST_STARTS = 5;

export const integrate = (
  site: Site,
  offers: readonly Offer[],
  signal?: AbortSignal,
): Promise<readonly Merge[]> =>
  site.serially(async () => {
    for (let start = 1; start <= MOST_STARTS; start += 1) {
      const merges = await mergeAll(site, offers, signal);
      if (merges) return merges;
    }
    throw new WorktreeError(
      'RUN_BRANCH_MOVED',
      `${site.branch} was moved again and again by somebody else`,
      'Let only this run write to its branch.',
    );
  });

/** Nothing is moved before the last merge is made; `undefined` when the branch moved meanwhile. */
async function mergeAll(
  site: Site,
  offers: readonly Offer[],
  signal: AbortSignal | undefined,
): Promise<Merge[] | undefined> {
  const { objects } = site.content;
  const from = await tipOf(site);
  await assertNotCheckedOut(site);
  let tip = from;
  const merges: Merge[] = [];
  for (const { taskId, commit } of offers) {
    signal?.throwIfAborted();
    const earlier = await mergeOf(objects, commit, tip);
    if (earlier !== undefined) {
      merges.push({ kind: 'merged', taskId, commit: earlier });
      continue;
    }
    const merged = await mergeCommits(objects, tip, commit);
    if (merged.kind === 'conflict') {
      merges.push({ kind: 'conflict', taskId, paths: merged.paths });
      continue;
    }
    const message = `Merge task ${shown(String(taskId), 60)}\n\nAtelier-Run: ${shown(site.runId, 100)}\n`;
    const { text } = await objects(
      ['commit-tree', '-p', tip, '-p', commit, '-F', '-', merged.tree],
      { input: Buffer.from(message) },
    );
    tip = text;
    merges.push({ kind: 'merged', taskId, commit: tip });
  }
  signal?.throwIfAborted();
  const done =
    tip === from ||
    (await moveRef(site, site.branch, { from, to: tip, why: 'atelier: integrate' }));
  return done ? merges : undefined;
}
