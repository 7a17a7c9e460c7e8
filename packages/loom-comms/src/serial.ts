/** One piece of work after another, in the order of asking. */
export interface Serial {
  /** Undefined, without running it, when too many wait or no more is taken. */
  run<T>(work: () => Promise<T>): Promise<T | undefined>;
  /** Takes nothing more, and resolves when all that was taken is over. */
  close(): Promise<void>;
  /** What waits is not begun any more. */
  drop(): void;
}

export function serial(most: number): Serial {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let state: 'open' | 'closed' | 'dropped' = 'open';
  return {
    run(work) {
      if (state !== 'open' || waiting >= most) return Promise.resolve(undefined);
      waiting++;
      const mine = last.then(async () => {
        waiting--;
        return state === 'dropped' ? undefined : await work();
      });
      last = mine.catch(() => undefined);
      return mine;
    },
    async close() {
      state = 'closed';
      await last;
    },
    drop() {
      state = 'dropped';
    },
  };
}
