import type { SavedState } from './attempt-record.ts';
import type { CarveRequest, Worktree } from './carve.ts';
import type { Merge, Offer } from './integrate.ts';
import type { Removal } from './remove.ts';
import type { Salvage } from './salvage.ts';

export interface RunRequest {
  readonly runId: string;
  /** A folder of this run alone, outside the clone; created when absent. Worktrees and private files go there. */
  readonly root: string;
  /** Told, in one printable line, what a person should know and no caller is told by an error. */
  readonly warn?: (message: string) => void;
}

/** The git side of one run. Nothing here moves the user’s branch, index or work tree. */
export interface Run {
  readonly id: string;
  /** The full name of the integration branch, the only branch of a run. */
  readonly branch: string;
  /** The commit that the run started from. */
  readonly base: string;
  readonly root: string;
  readonly warn: (message: string) => void;
  /** The commit that the integration branch is at. */
  tip(): Promise<string>;
  /** Makes the worktree of one attempt, from the tip. Rejects rather than falling back to any other folder. */
  carve(request: CarveRequest): Promise<Worktree>;
  /** The worktree that this run carved for an attempt, by this process or an earlier one. */
  find(request: CarveRequest): Promise<Worktree | undefined>;
  /**
   * Commits what is in the worktree to the attempt’s ref, the worker’s own commits as ancestors. Resolves to
   * `undefined` when nothing changed; then there is no ref, so that each ref of a run is work. FIFOs, sockets and
   * devices in the worktree are removed first. Throws `SALVAGE_TOO_LARGE` before git reads more than can be saved.
   */
  salvage(worktree: Worktree, message: string): Promise<Salvage | undefined>;
  /** What the last salvage of an attempt saved; `undefined` when there was none. */
  saved(request: CarveRequest): Promise<SavedState | undefined>;
  /** Removes a worktree whose content is saved. Throws `NOT_SALVAGED` or `NOT_OURS` and leaves it alone otherwise. */
  remove(worktree: Worktree): Promise<Removal>;
  /**
   * Merges salvaged commits onto the integration branch in the given order; one that conflicts is left out. Throws
   * `RUN_BRANCH_CHECKED_OUT` or `RUN_BRANCH_MOVED` and moves nothing.
   */
  integrate(offers: readonly Offer[], signal?: AbortSignal): Promise<readonly Merge[]>;
}
