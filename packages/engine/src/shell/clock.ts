/** Time. Deadlines use `now`; `wall` is for display and never for a decision. */
export interface Clock {
  /** Monotonic milliseconds from an arbitrary origin; it does not run while the machine sleeps. */
  now(): number;
  /** Milliseconds since the Unix epoch. */
  wall(): number;
  /** Resolves after `ms`, however long, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** setTimeout fires at once above this; longer sleeps are chained. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = Object.freeze<Clock>({
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise<void>((resolve) => {
      const due = performance.now() + ms;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const arm = () => {
        const left = due - performance.now();
        if (left <= 0) finish();
        else timer = setTimeout(arm, Math.min(Math.ceil(left), LONGEST_TIMER_MS));
      };
      if (ms <= 0 || signal?.aborted) return resolve();
      signal?.addEventListener('abort', finish, { once: true });
      arm();
    }),
});
