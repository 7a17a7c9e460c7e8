/** One command line of the operator's own, and where it runs. */
export interface ShellCall {
  /** Read by `sh`; never text of a worker or of a task. */
  readonly command: string;
  /** An absolute path: the current folder, and all of the project that can be written. */
  readonly worktree: string;
  /** The worktree can not be written either. */
  readonly readOnly?: boolean;
  /** Files and folders in the worktree that can not be written. Absolute paths. */
  readonly frozen?: readonly string[];
  readonly timeoutMs: number;
  /** Ends the command when it aborts. */
  readonly signal?: AbortSignal;
}

/** How a command ended. `output` is the last 64 KiB that it printed, on either output; foreign text. */
export type ShellEnd =
  /** `exitCode` as a shell tells it: 128 + n for signal n. */
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: string }
  | { readonly kind: 'timeout' | 'stopped'; readonly output: string }
  /** It was not run, or nobody can tell how it ended. One line, safe for a terminal. */
  | { readonly kind: 'failed'; readonly detail: string };

/** Resolves once nothing of the command is left; never rejects. */
export type Shell = (call: ShellCall) => Promise<ShellEnd>;
