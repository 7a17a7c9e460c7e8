import type { Clock } from '../shell/clock.ts';

/** A clock that stands still until told. */
export interface ManualClock extends Clock {
  /** Moves time on, waking every sleeper that falls due, in order, each before the next. */
  advance(ms: number): Promise<void>;
  /** Jumps from sleeper to sleeper until the promise settles; a run of hours takes milliseconds. */
  runUntil<T>(promise: Promise<T>): Promise<T>;
  /** Moves only the wall clock, as a suspended laptop or a time server does. */
  stepWall(ms: number): void;
}

interface Sleeper {
  readonly due: number;
  readonly order: number;
  readonly wake: () => void;
}

/** A clock for tests. Monotonic time starts at 0, the wall clock at `wall` (default 2026-01-01T00:00:00Z). */
export function manualClock({ wall = Date.UTC(2026, 0, 1) }: { wall?: number } = {}): ManualClock {
  const sleepers = new Set<Sleeper>();
  let now = 0;
  let wallOffset = wall;
  let order = 0;

  const next = (): Sleeper | undefined => {
    let first: Sleeper | undefined;
    for (const sleeper of sleepers)
      if (
        !first ||
        sleeper.due < first.due ||
        (sleeper.due === first.due && sleeper.order < first.order)
      )
        first = sleeper;
    return first;
  };

  const rouse = (sleeper: Sleeper) => {
    now = Math.max(now, sleeper.due);
    sleeper.wake();
    return settled();
  };

  const advance = async (ms: number) => {
    const until = now + ms;
    await settled();
    for (let due = next(); due && due.due <= until; due = next()) await rouse(due);
    now = until;
  };

  return {
    now: () => now,
    wall: () => wallOffset + now,
    stepWall: (ms) => {
      wallOffset += ms;
    },
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        order += 1;
        const sleeper: Sleeper = { due: now + Math.max(0, ms), order, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake, { once: true });
      }),
    advance,
    runUntil: async (promise) => {
      let pending = true;
      const done = () => {
        pending = false;
      };
      promise.then(done, done);
      await settled();
      while (pending) {
        const sleeper = next();
        await (sleeper ? rouse(sleeper) : settled());
      }
      return promise;
    },
  };
}

/** One turn of the event loop: everything that only waits for promises has run by then. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
