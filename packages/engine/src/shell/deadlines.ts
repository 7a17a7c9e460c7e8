import type { Clock } from './clock.ts';
import { OVER } from './over.ts';

/** Why an attempt is told to end. */
export type TimeUp = 'timeout' | 'interrupted';

/** Tells attempts when their time is up: each at its own deadline, and all of them when the run is told to stop. */
export interface Deadlines {
  /** Calls `tell` after `ms`, at an interrupt, or at once if there was one. What it returns calls that off. */
  set(ms: number, tell: (why: TimeUp) => void): () => void;
}

interface DeadlinesOptions {
  readonly clock: Clock;
  readonly interrupt: AbortSignal;
  /** Aborted when the run is over: nobody is told anything any more. */
  readonly over: AbortSignal;
}

interface Deadline {
  readonly due: number;
  readonly tell: (why: TimeUp) => void;
}

/** One sleep, until the first of them, serves all: nearly every deadline is called off long before it is due. */
export function deadlines({ clock, interrupt, over }: DeadlinesOptions): Deadlines {
  const open = new Set<Deadline>();
  let wakesAt = Number.POSITIVE_INFINITY;
  let nap = new AbortController();

  const sleepUntil = (due: number) => {
    if (due >= wakesAt || over.aborted) return;
    nap.abort(OVER);
    const own = new AbortController();
    nap = own;
    wakesAt = due;
    void clock.sleep(due - clock.now(), own.signal).then(() => {
      if (!own.signal.aborted) wake(due);
    });
  };
  const wake = (due: number) => {
    // A sleep that has ended has lasted, whatever its clock says meanwhile.
    const now = Math.max(clock.now(), due);
    let next = Number.POSITIVE_INFINITY;
    wakesAt = next;
    for (const one of open)
      if (one.due > now) next = Math.min(next, one.due);
      else if (open.delete(one)) one.tell('timeout');
    sleepUntil(next);
  };

  const interruptAll = () => {
    for (const one of open) one.tell('interrupted');
  };
  interrupt.addEventListener('abort', interruptAll, { once: true });
  over.addEventListener('abort', () => nap.abort(OVER), { once: true });

  return {
    set(ms, tell) {
      const own = { due: clock.now() + ms, tell };
      open.add(own);
      if (interrupt.aborted) tell('interrupted');
      sleepUntil(own.due);
      return () => open.delete(own);
    },
  };
}
