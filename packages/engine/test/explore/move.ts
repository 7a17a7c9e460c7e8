import type { RunInput } from '../../src/core/input.ts';

/** One thing that can happen next. */
export interface Move {
  readonly label: string;
  /** Bookkeeping runs until there is none, as the shell's does; a crash is followed by the resumption. */
  readonly does: RunInput | 'bookkeeping' | 'crash';
  /** Nobody promises that it ever happens, so that no run may wait for it. */
  readonly unsure?: true;
  /** A stale input: nothing may follow from it. */
  readonly stale?: true;
}

/** Whoever ran goes on, until another move says that it is lost. */
export const CRASH: Move = { label: 'crash, resume', does: 'crash', unsure: true };
