/** How a command ended. `output` is foreign text: the last of what it printed. */
export type ShellEnd =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly output: string }
  | { readonly kind: 'timeout' | 'stopped'; readonly output: string }
  /** It never ran. */
  | { readonly kind: 'failed'; readonly detail: string };

export interface ShellCall {
  readonly command: string;
  /** The folder to run in. */
  readonly worktree: string;
  readonly readOnly?: boolean;
  readonly frozen?: readonly string[];
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * Runs one command of the plan behind walls, and resolves when it and its children are gone. Never rejects.
 * `confinedShell` of `@atelier/cli-transport` is one.
 */
export type Shell = (call: ShellCall) => Promise<ShellEnd>;

/** How a command ended, for the end of a sentence; `undefined` when it passed. */
export function failureOf(end: ShellEnd, timeoutMs: number): string | undefined {
  switch (end.kind) {
    case 'exited':
      return end.exitCode === 0 ? undefined : `exited with ${end.exitCode}`;
    case 'timeout':
      return `timed out after ${Math.round(timeoutMs / 100) / 10} s`;
    case 'stopped':
      return 'was stopped';
    case 'failed':
      return 'could not be run';
  }
}
