import { CAUSES } from './causes.ts';
import type { Closure } from './closure.ts';
import type { Parking } from './event.ts';

/** The failures of the same kind that came one after another, whichever the tasks. */
export interface Streak {
  readonly cause: string;
  readonly count: number;
  /** The task of the last one. */
  readonly key: string;
  /** Whether more than one task is among them. */
  readonly across: boolean;
}

/** The streak after one more end of an attempt; undefined when that end is no failure of a kind that is counted. */
export function streakWith(
  streak: Streak | undefined,
  key: string,
  closure: Closure,
): Streak | undefined {
  const cause = kindOf(closure);
  if (cause === undefined) return undefined;
  if (streak?.cause !== cause) return { cause, count: 1, key, across: false };
  return { cause, count: streak.count + 1, key, across: streak.across || streak.key !== key };
}

/** Why a run is to be parked after a streak, if it is: one fault that meets several tasks is not theirs. */
export function tripped(streak: Streak | undefined, breakAfter = 0): Parking | undefined {
  if (!streak?.across || breakAfter === 0 || streak.count < breakAfter) return undefined;
  const detail = `${streak.count} attempts in a row ended the same way, across tasks: ${streak.cause}`;
  return { cause: 'breaker', detail };
}

const kindOf = (closure: Closure): string | undefined => {
  if (closure.kind === 'rejected') return 'invalid envelope';
  return closure.kind === 'failed' && CAUSES[closure.cause].breaks ? closure.cause : undefined;
};
