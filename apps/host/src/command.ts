import type { Environment } from './environment.ts';
import type { Streams } from './streams.ts';

/**
 * 0: done. 1: a fault of ours. 2: refused, and the command line, the plan or the machine is why. 3: finished
 * with abandonments. 4: parked, resumable. 5: interrupted, resumable.
 */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5;

/** One verb of the `atelier` command. */
export interface Command {
  run(args: readonly string[], streams: Streams, environment: Environment): Promise<ExitCode>;
}

/** The user's mistake in a command line: shown with its fix, never with a stack. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}
