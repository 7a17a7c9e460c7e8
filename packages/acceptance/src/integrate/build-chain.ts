import type { Merge, Offer, Workspace } from '../workspace.ts';

/** One merge of a chain, with what it brought in. */
export interface Link {
  readonly offer: Offer;
  readonly commit: string;
}

export interface Chain {
  /** Only what was merged just now: work that was there already is no link. */
  readonly links: readonly Link[];
  readonly merges: readonly Merge[];
}

/** Merges offers in order onto a commit, one at a time, so that each step is a commit that can be asked about. */
export async function buildChain(
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: AbortSignal },
  offers: readonly Offer[],
  onto: string,
): Promise<Chain> {
  const links: Link[] = [];
  const merges: Merge[] = [];
  let at = onto;
  for (const offer of offers) {
    signal.throwIfAborted();
    const proposal = await workspace.propose([offer], at);
    merges.push(...proposal.merges);
    if (proposal.tip === at) continue;
    at = proposal.tip;
    links.push({ offer, commit: at });
  }
  return { links, merges };
}
