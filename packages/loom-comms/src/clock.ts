import { setTimeout } from 'node:timers/promises';

/** Time, as budgets and waits need it. */
export interface LoomClock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** The same, but it keeps no process alive. */
  idle(ms: number, signal: AbortSignal): Promise<void>;
}

const wait = (ms: number, options: { signal: AbortSignal; ref: boolean }): Promise<void> =>
  setTimeout(ms, undefined, options).catch(() => undefined);

/** The machine's clock. */
export const machineClock: LoomClock = Object.freeze<LoomClock>({
  now: () => performance.now(),
  sleep: (ms, signal) => wait(ms, { signal, ref: true }),
  idle: (ms, signal) => wait(ms, { signal, ref: false }),
});
