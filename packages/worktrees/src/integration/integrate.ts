import { WorktreeError } from '../error.ts';
import type { Site } from '../site.ts';
import { type Merge, type Offer, propose } from './propose.ts';
import { advance } from './publish.ts';

/** Merges again, onto what is there now, when somebody else moved the branch meanwhile. */
const MOST_STARTS = 5;

export const integrate = (
  site: Site,
  offers: readonly Offer[],
  signal?: AbortSignal,
): Promise<readonly Merge[]> =>
  site.serially(async () => {
    for (let start = 1; start <= MOST_STARTS; start += 1) {
      const { onto, tip, merges } = await propose(site, offers, { signal });
      signal?.throwIfAborted();
      if (await advance(site, { from: onto, to: tip })) return merges;
    }
    throw new WorktreeError(
      'RUN_BRANCH_MOVED',
      `${site.branch} was moved again and again by somebody else`,
      'Let only this run write to its branch.',
    );
  });
