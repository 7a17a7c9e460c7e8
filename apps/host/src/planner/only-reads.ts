/** What the names of attempts at a plan begin with. */
export const PLANNING = 'plan-';

/** What the names of turns of a meeting begin with. */
export const MEETING = 'meet-';

/**
 * Whether a run of that name only looked at the project: one attempt at a plan, or one turn of a meeting. There is no work
 * of it, and it is never gone on with: what it was for is asked anew.
 */
export const onlyReads = (runId: string): boolean =>
  runId.startsWith(PLANNING) || runId.startsWith(MEETING);
