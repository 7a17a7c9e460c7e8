import { isObjectName } from '../git/object-name.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { tipOf } from './integration-branch.ts';
import { baseIn, countIn, mergeCommits, mergeOf, newCommits } from './merge-commits.ts';

/** Salvaged work that is to be merged. */
export interface Offer {
  readonly taskId: string | number;
  readonly commit: string;
}

/** What came of one offer. `commit` is the merge that brought it in. */
export type Merge =
  | { readonly kind: 'merged'; readonly taskId: string | number; readonly commit: string }
  | {
      readonly kind: 'conflict';
      readonly taskId: string | number;
      readonly paths: readonly string[];
    };

/** A chain of merges that no ref holds yet. */
export interface Proposal {
  /** The commit that the chain starts from. */
  readonly onto: string;
  /** The last commit of the chain; `onto` itself when there was nothing to merge. */
  readonly tip: string;
  /** One for each offer, in their order. */
  readonly merges: readonly Merge[];
}

export async function propose(
  site: Site,
  offers: readonly Offer[],
  {
    onto,
    signal,
  }: { readonly onto?: string | undefined; readonly signal?: AbortSignal | undefined } = {},
): Promise<Proposal> {
  const { content } = site;
  const { objects } = content;
  const start = onto ?? (await tipOf(site));
  let tip = start;
  const merges: Merge[] = [];
  const commits = await newCommits(
    objects,
    offers.map(({ commit }) => commit),
    start,
  );
  for (const { taskId, commit } of offers) {
    signal?.throwIfAborted();
    if (!commits.has(commit)) {
      merges.push({ kind: 'merged', taskId, commit: await mergeOf(objects, commit, tip) });
      continue;
    }
    const merged = await mergeCommits(content, tip, commit, baseIn(commits, commit));
    if (merged.kind === 'conflict') {
      merges.push({ kind: 'conflict', taskId, paths: merged.paths });
      continue;
    }
    const message = `Merge task ${shown(String(taskId), 60)}\n\nAtelier-Run: ${shown(site.runId, 100)}\n`;
    tip = await content.commit({ tree: merged.tree, parents: [tip, commit], message });
    countIn(commits, commit);
    merges.push({ kind: 'merged', taskId, commit: tip });
  }
  // Whoever publishes it need not ask git.
  if (tip !== start && isObjectName(start))
    await content.descents.of(`${start} ${tip}`, async () => true);
  return { onto: start, tip, merges };
}

/** The paths in which a commit conflicts with another: the tip when none is named. */
export async function conflicts(
  site: Site,
  commit: string,
  against?: string,
): Promise<readonly string[]> {
  const merged = await mergeCommits(site.content, against ?? (await tipOf(site)), commit);
  return merged.kind === 'conflict' ? merged.paths : [];
}
