import assert from 'node:assert/strict';
import type { Clock } from '../shell/clock.ts';

/** Waits that end: what does not come in time breaks the promise that it would. */
export interface Patience {
  readonly clock: Clock;
  /** The value of a promise; an assertion that names what was waited for when there is none in time. */
  within<T>(what: string, promise: Promise<T>): Promise<T>;
  /** Asks again and again until the answer is not undefined. */
  until<T>(what: string, ask: () => T | undefined | Promise<T | undefined>): Promise<T>;
}

const LOOK_MS = 20;

export function patience(clock: Clock, ms: number): Patience {
  const late = (what: string) => `${what}: not within ${ms / 1000} s`;
  const within = async <T>(what: string, promise: Promise<T>): Promise<T> => {
    const over = new AbortController();
    const timeout = clock.sleep(ms, over.signal).then(() => {
      if (!over.signal.aborted) assert.fail(late(what));
      return promise;
    });
    try {
      return await Promise.race([promise, timeout]);
    } finally {
      over.abort();
    }
  };
  return {
    clock,
    within,
    async until(what, ask) {
      for (const end = clock.now() + ms; clock.now() < end; await clock.sleep(LOOK_MS)) {
        const answer = await within(what, Promise.resolve(ask()));
        if (answer !== undefined) return answer;
      }
      return assert.fail(late(what));
    },
  };
}
