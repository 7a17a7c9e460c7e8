import type { TaskId } from '@atelier/engine';

/** One attempt of one task. */
export interface AttemptId {
  readonly taskId: TaskId;
  readonly attempt: number;
}

/** A path that differs from the base. A rename is a deletion and an addition. */
export interface FileChange {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
  /** Lines; absent for what is not text. */
  readonly insertions?: number;
  readonly deletions?: number;
}

/** All that an attempt left behind, the worker’s own commits included. */
export interface ChangeSet {
  /** The commit that the attempt started from. */
  readonly base: string;
  /** The commit that holds the work; absent when there is none. */
  readonly commit?: string;
  readonly changes: readonly FileChange[];
  /** What git ignores and was therefore not saved; folders end in a slash. */
  readonly ignored: readonly string[];
  /** Repositories inside the workspace, whose history was not saved. */
  readonly nested: readonly string[];
  /** Names that git does not take. */
  readonly refused: readonly string[];
}

/** What a committed file holds. */
export interface FileFact {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Saved work that is to be merged. */
export interface Offer {
  readonly taskId: TaskId;
  readonly commit: string;
}

/** What came of one offer. `commit` is the merge that brought it in, by this proposal or long before. */
export type Merge =
  | { readonly kind: 'merged'; readonly taskId: TaskId; readonly commit: string }
  | { readonly kind: 'conflict'; readonly taskId: TaskId; readonly paths: readonly string[] };

/** A chain of merges that is on no branch yet. */
export interface Proposal {
  readonly onto: string;
  /** The last commit of the chain; `onto` when there was nothing to merge. */
  readonly tip: string;
  readonly merges: readonly Merge[];
}

/** A folder that commands may run in. */
export interface Place {
  readonly path: string;
  /** Files and folders inside that nobody may write to. Absolute paths. */
  readonly frozen: readonly string[];
}

/** The files of a commit in a folder that holds nobody’s work. */
export interface Scratch extends Place {
  /** Removes the folder, whatever is in it. */
  dispose(): Promise<void>;
}

/**
 * What the checks need of a repository, one run’s branch in it, and the work of its attempts. `Run` of
 * `@atelier/worktrees` fits.
 */
export interface Workspace {
  /** What the attempt’s work was when it was last saved; `undefined` when it was not. */
  changeSet(attempt: AttemptId): Promise<ChangeSet | undefined>;
  /** Hashes of committed files; a path that is no file of the commit is left out. */
  facts(commit: string, paths: readonly string[]): Promise<readonly FileFact[]>;
  /** The paths on which saved work conflicts with another commit, the tip when absent. Nothing is changed. */
  conflicts(commit: string, against?: string): Promise<readonly string[]>;
  /** A text that two commits share exactly when their files are the same. */
  tree(commit: string): Promise<string>;
  /** The commit that the run’s branch is at. */
  tip(): Promise<string>;
  /** Merges offers in order onto a commit, the tip when absent, and moves no branch. Conflicts are left out. */
  propose(offers: readonly Offer[], onto?: string): Promise<Proposal>;
  /** Moves the run’s branch; false, and nothing moved, when it is not at `from`. */
  publish(move: { readonly from: string; readonly to: string }): Promise<boolean>;
  checkout(commit: string, signal?: AbortSignal): Promise<Scratch>;
}
