import type { SavedState } from './attempt/attempt-record.ts';
import type { AttemptName, CarveRequest, Worktree } from './attempt/carve.ts';
import type { Scratch } from './attempt/checkout.ts';
import type { Removal } from './attempt/remove.ts';
import type { Salvage, SalvageOptions } from './attempt/salvage.ts';
import type { ChangeSet } from './content/change-set.ts';
import type { FileFact } from './content/facts.ts';
import type { TreeEntry } from './content/tree-entries.ts';
import type { Equipment } from './equip/equip.ts';
import type { Merge, Offer, Proposal } from './integration/propose.ts';
import type { Step } from './integration/publish.ts';
import type { IsAtLarge } from './inventory/tidy.ts';
import type { SetUp } from './site.ts';

export interface RunRequest {
  readonly runId: string;
  /** A folder of this run alone, outside the clone; created when absent. Worktrees and private files go there. */
  readonly root: string;
  /** Told, in one printable line, what a person should know and no caller is told by an error. */
  readonly warn?: (message: string) => void;
  /** What every worktree gets from the clone beside the commit’s files. */
  readonly equipment?: Equipment;
  /** Readies every worktree. What it leaves that git does not ignore counts as the worker’s. */
  readonly setUp?: SetUp;
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
  /**
   * Makes the worktree of one attempt, from the tip. Rejects rather than falling back to any other folder; a set-up
   * that rejects leaves no worktree.
   */
  carve(request: CarveRequest, signal?: AbortSignal): Promise<Worktree>;
  /** The worktree that this run carved for an attempt, by this process or an earlier one. */
  find(attempt: AttemptName): Promise<Worktree | undefined>;
  /**
   * Commits what is in the worktree to the attempt’s ref, the worker’s own commits as ancestors. Resolves to
   * `undefined` when nothing changed; then there is no ref, so that each ref of a run is work. FIFOs, sockets and
   * devices in the worktree are removed first. Throws `SALVAGE_TOO_LARGE` before git reads more than can be saved.
   */
  salvage(
    worktree: Worktree,
    message: string,
    options?: SalvageOptions,
  ): Promise<Salvage | undefined>;
  /** What the last salvage of an attempt saved; `undefined` when there was none. */
  saved(attempt: AttemptName): Promise<SavedState | undefined>;
  /** The ref that holds what an attempt left; `undefined` when it left nothing. */
  savedRef(attempt: AttemptName): Promise<string | undefined>;
  /** The changes that the last salvage of an attempt saved, file by file; `undefined` when there was none. */
  changeSet(attempt: AttemptName): Promise<ChangeSet | undefined>;
  /** True while the worktree holds exactly what was saved of it. */
  unchanged(attempt: AttemptName): Promise<boolean>;
  /** Removes a worktree whose content is saved. Throws `NOT_SALVAGED` or `NOT_OURS` and leaves it alone otherwise. */
  remove(worktree: Worktree): Promise<Removal>;
  /**
   * Removes the worktree of an attempt that is over. Work that was never saved is saved first; what came after it was
   * goes to a second ref, `…-after`. `undefined` when there is no worktree. Throws like `salvage` and `remove`.
   */
  release(attempt: AttemptName): Promise<Removal | undefined>;
  /** The name of a commit’s tree. Throws for what is no commit. */
  tree(commit: string): Promise<string>;
  /** What a commit has at each of the given paths, folders included; a path that is not there is left out. */
  objectsAt(commit: string, paths: readonly string[]): Promise<ReadonlyMap<string, TreeEntry>>;
  /** Whether a commit has symbolic links or submodules in these folders: what is read there may be elsewhere. */
  hasLinks(commit: string, folders: readonly string[]): Promise<boolean>;
  /** The files and folders of the clone that the next worktree gets beside the commit’s, as absolute paths. */
  equipped(): Promise<readonly string[]>;
  /** Whether a commit, if there is one of that name, is in the integration branch. */
  contains(commit: string): Promise<boolean>;
  /**
   * Throws `MERGED_WORK_MISSING`, naming the tasks, unless the integration branch has all of these commits: for a host
   * that goes on with a run, before it dispatches anything.
   */
  assertMerged(merged: readonly Offer[]): Promise<void>;
  /** Size and hash of files in a commit, computed here. Paths that name no file there are left out. */
  facts(commit: string, paths: readonly string[]): Promise<readonly FileFact[]>;
  /** The paths in which a saved commit conflicts with another, or with the tip. None: it can be merged. */
  conflicts(commit: string, against?: string): Promise<readonly string[]>;
  /** Merges salvaged commits onto the tip, or `onto`, in the given order; one that conflicts is left out. Moves no ref. */
  propose(offers: readonly Offer[], onto?: string): Promise<Proposal>;
  /**
   * Moves the integration branch to the end of a proposal. False, with nothing moved, when it was not at `from`.
   * Throws `RUN_BRANCH_CHECKED_OUT`, `RUN_BRANCH_MISSING` and `NOT_FORWARD`.
   */
  publish(step: Step): Promise<boolean>;
  /** Both in one, for a caller without a gate. Throws `RUN_BRANCH_CHECKED_OUT` or `RUN_BRANCH_MOVED` and moves nothing. */
  integrate(offers: readonly Offer[], signal?: AbortSignal): Promise<readonly Merge[]>;
  /**
   * Removes what killed hosts have left of this run, once all of its workers have ended, but for attempts at large.
   * Their checkouts stay as well. Work that is on no ref is saved first; what can not be saved stays, with a warning.
   */
  tidy(isAtLarge: IsAtLarge): Promise<void>;
  /**
   * Makes a worktree of any commit for commands of the host, or for a worker that only reads: the attempt that it is
   * for is its tenant. Throws `NO_SUCH_COMMIT`.
   */
  checkout(commit: string, signal?: AbortSignal, tenant?: AttemptName): Promise<Scratch>;
  /** Such a worktree of an earlier host, by its name; `undefined` when it is not there any more. */
  reopen(name: string): Promise<Scratch | undefined>;
}
