import { type Allowance, allowance } from './allowance.ts';
import type { LoomClock } from './clock.ts';
import { serial } from './serial.ts';

/** What a run does in its chat, one thing after another. */
export interface Turns {
  /**
   * Does a piece of work when its turn comes. Its time runs from now, waiting included: what comes too late is not
   * worth saying. Undefined where it was not taken, or threw.
   */
  take<T>(work: (within: Allowance) => Promise<T>): Promise<T | undefined>;
  /** Aborts when nothing more is begun. */
  readonly ending: AbortSignal;
  /**
   * Takes no more, does what waits for as long as that may take, lets the call that is under way come to its end, then
   * does the last piece.
   */
  end<T>(work: (within: Allowance) => Promise<T>): Promise<T | undefined>;
}

export function turns(options: {
  readonly clock: LoomClock;
  readonly phaseMs: number;
  readonly drainMs: number;
  readonly waiting: number;
}): Turns {
  const { clock, phaseMs, drainMs, waiting } = options;
  const queue = serial(waiting);
  const ending = new AbortController();
  return {
    ending: ending.signal,
    take(work) {
      const within = allowance(clock, phaseMs, ending.signal);
      return queue.run(() => work(within)).catch(() => undefined);
    },
    async end(work) {
      const over = queue.close();
      const enough = new AbortController();
      await Promise.race([over, clock.sleep(drainMs, enough.signal)]);
      enough.abort();
      queue.drop();
      ending.abort();
      // What is under way has its own limits; one that should break them delays nobody.
      await Promise.race([over, clock.sleep(phaseMs, new AbortController().signal)]);
      const unending = new AbortController().signal;
      return work(allowance(clock, phaseMs, unending)).catch(() => undefined);
    },
  };
}
