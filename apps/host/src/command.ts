import type { Streams } from './streams.ts';

/** 0: done. 2: refused, and the command line or the file is why. */
export type ExitCode = 0 | 2;

/** One verb of the `atelier` command. */
export interface Command {
  readonly summary: string;
  run(args: readonly string[], streams: Streams): Promise<ExitCode>;
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
