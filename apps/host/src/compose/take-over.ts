import { printable } from '@atelier/envelope';
import type { Repository } from '@atelier/worktrees';
import { HostError } from '../host-error.ts';
import type { RepositoryReport } from './run-on-repository.ts';

/** How the person's own branch is to take over a finished run: only when that is asked for. */
export type MergeMode = 'ff' | 'no-ff';

export interface Takeover {
  readonly mode: MergeMode;
  /** The branch that was checked out when the run was started. */
  readonly branch: string;
}

/** Throws `MERGE_DETACHED` when there is no branch to merge into. */
export function takeoverOf(mode: MergeMode, { branch }: Repository): Takeover {
  if (branch !== undefined) return { mode, branch };
  throw new HostError(
    'MERGE_DETACHED',
    'HEAD is detached, so there is no branch to merge into',
    'Check out a branch, or leave --merge out and merge by hand.',
  );
}

/** What came of it: the branch that was moved, or why none was. */
export interface TakeoverOutcome {
  readonly merged?: string;
  readonly notMerged?: string;
}

/** Merges the work of a run that is complete. Whatever stands in the way changes nothing and is told. */
export async function takeOver(
  { runId, verdict, tip }: RepositoryReport,
  { mode, branch }: Takeover,
  repository: Repository,
): Promise<TakeoverOutcome> {
  if (verdict !== 'complete') return { notMerged: `the run is ${verdict}` };
  const message = takeoverMessage(runId);
  try {
    const merged = await repository.mergeIntoCheckout({ commit: tip, branch, mode, message });
    return merged.kind === 'merged' ? { merged: branch } : { notMerged: merged.why };
  } catch (error) {
    return { notMerged: printable(error instanceof Error ? error.message : error) };
  }
}

export const takeoverMessage = (runId: string): string => `Merge the work of run ${runId}`;
