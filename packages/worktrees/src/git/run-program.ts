import { type ChildProcess, spawn } from 'node:child_process';
import { ownDescriptors } from './own-descriptors.ts';

/** What a program wrote before it ended is read by then. */
const DRAIN_MS = 2_000;

export interface ProgramCall {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; at its end at once when absent. */
  readonly input?: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** Between a request to end and a kill. */
  readonly killAfterMs: number;
  /** Bytes that are held; one more ends the program. */
  readonly limits: { readonly stdout: number; readonly stderr: number };
  /** Is given standard output piece by piece, without a limit; none of it is held then. */
  readonly onOutput?: ((piece: Buffer) => void) | undefined;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Absent where it did not end by itself. */
  readonly exitCode?: number;
  /** Why it was ended here. */
  readonly cut?: 'time' | 'output';
  /** The signal that ended it, or the system’s code for why it never ran. */
  readonly why?: string;
  readonly cause?: unknown;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

/**
 * Runs a program to its end in a process group of its own. Never rejects. Straight on the system’s own call: the
 * shortest command of git takes less time than a library that wraps one.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  call: ProgramCall,
): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const held = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    const end = (how: Omit<ProgramEnd, 'stdout' | 'stderr'>) =>
      resolve({
        ...how,
        stdout: Buffer.concat(held.stdout),
        stderr: Buffer.concat(held.stderr),
      });
    const notRun = (cause: unknown) => end({ ...why(codeIn(cause)), cause });
    let running: ChildProcess;
    try {
      const { cwd, env, input } = call;
      // A Ctrl-C is for the host, which ends its workers and then still needs git to save their work.
      running = spawn(file, args, {
        cwd,
        env,
        detached: true,
        stdio: ownDescriptors([input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe']),
      });
    } catch (error) {
      notRun(error);
      return;
    }
    const { stdin, stdout, stderr } = running;
    let cut: ProgramEnd['cut'];
    let killing: NodeJS.Timeout | undefined;
    let draining: NodeJS.Timeout | undefined;
    const stop = (reason: 'time' | 'output') => {
      if (cut !== undefined) return;
      const hasEnded = running.exitCode !== null || running.signalCode !== null;
      // In time, then; only what it has started still holds its output.
      if (!hasEnded || reason === 'output') cut = reason;
      if (hasEnded) return release();
      signalGroup(running, 'SIGTERM');
      killing = setTimeout(signalGroup, call.killAfterMs, running, 'SIGKILL');
    };
    // What the program has started may hold these open for ever.
    const release = () => {
      stdout?.destroy();
      stderr?.destroy();
    };
    const timer = setTimeout(stop, call.timeoutMs, 'time');
    const hold = (stream: 'stdout' | 'stderr') => {
      let size = 0;
      return (piece: Buffer) => {
        size += piece.length;
        if (size > call.limits[stream]) stop('output');
        else held[stream].push(piece);
      };
    };
    stdout?.on('data', call.onOutput ?? hold('stdout'));
    stderr?.on('data', hold('stderr'));
    // One that ends without reading all of its input says why by its exit code.
    stdin?.on('error', () => undefined);
    if (call.input !== undefined) stdin?.end(call.input);
    running.on('exit', () => {
      draining = setTimeout(release, cut === undefined ? DRAIN_MS : 0);
    });
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(killing);
      clearTimeout(draining);
    };
    running.on('error', (error) => {
      // Only of one that never ran: a kill that fails is no end.
      if (running.pid !== undefined) return;
      settle();
      notRun(error);
    });
    running.on('close', (exitCode, signal) => {
      if (running.pid === undefined) return;
      settle();
      end({
        ...(exitCode === null ? {} : { exitCode }),
        ...(cut !== undefined && { cut }),
        ...why(signal ?? undefined),
      });
    });
  });
}

/** The program and all that it has started. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The whole group has ended.
  }
}

const why = (text: string | undefined): { why?: string } =>
  text === undefined ? {} : { why: text };

const codeIn = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
