import { printable } from '@atelier/envelope';
import type { Shell, ShellEnd } from './shell.ts';
import type { Scratch, Workspace } from './workspace.ts';

interface Running {
  readonly command: string;
  readonly shell: Shell;
  readonly workspace: Pick<Workspace, 'checkout'>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Told of a folder that could not be removed. It holds nobody’s work; the verdict counts all the same. */
  readonly onLeftBehind?: (path: string, detail: string) => void;
}

/**
 * Runs a command on the files of a commit, in a fresh folder that goes afterwards. A folder that can not be set up with
 * these files is an end like that of a command that failed: they are what broke it.
 */
export async function runOn(commit: string, running: Running): Promise<ShellEnd> {
  const { command, shell, workspace, timeoutMs, signal, onLeftBehind } = running;
  signal.throwIfAborted();
  let scratch: Scratch;
  try {
    scratch = await workspace.checkout(commit, signal);
  } catch (error) {
    if (!isOfSetUp(error)) throw error;
    return { kind: 'exited', exitCode: SETUP_EXIT, output: error.message };
  }
  try {
    const { path: worktree, frozen } = scratch;
    return await shell({ command, worktree, frozen, timeoutMs, signal });
  } finally {
    await scratch
      .dispose()
      .catch((error: unknown) => onLeftBehind?.(scratch.path, printable(error)));
  }
}

/** What `sh` itself ends with when a command can not be begun. */
const SETUP_EXIT = 126;

const SETUP_CODES: ReadonlySet<unknown> = new Set([
  'SETUP_FAILED',
  'SETUP_CHANGES_FILES',
  'FROZEN_MOVED',
]);

const isOfSetUp = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && SETUP_CODES.has(error.code);
