import { type BudgetPool, chargeOf, type Spent } from '@atelier/budget';
import type { RunEvent, TaskId, Usage } from '@atelier/engine';
import { isEnd } from './attempts-of.ts';

interface BookkeeperOptions {
  /** What names an attempt in the pool. */
  readonly keyOf: (attempt: {
    readonly runId: string;
    readonly taskId: TaskId;
    readonly attempt: number;
  }) => string;
  /**
   * Told what was delivered: it teaches, while a failure may have ended at once and says nothing of the next attempt.
   */
  readonly learn?: (taskId: TaskId, model: string | undefined, spent: Spent) => void;
}

/** Takes events into a pool: charges reserve, the first word of an end settles. */
export interface Bookkeeper {
  onEvent(event: RunEvent): void;
  /** Ends what has no end: nobody will tell what it used, so that it counts as what was expected. */
  settleOpen(): void;
}

export function bookkeeper(pool: BudgetPool, { keyOf, learn }: BookkeeperOptions): Bookkeeper {
  const running = new Map<string, string | undefined>();
  return {
    onEvent(event) {
      if (!('taskId' in event) || !('attempt' in event)) return;
      const key = keyOf(event);
      if (event.type === 'attempt.started') {
        const { model, estimate = {} } = event.terms ?? {};
        pool.reserve(key, estimate, { charged: true });
        running.set(key, model);
      } else if (isEnd(event) && running.has(key)) {
        const model = running.get(key);
        const usage = 'usage' in event ? event.usage : undefined;
        const spent = usage && priced(model, usage);
        running.delete(key);
        pool.settle(key, spent);
        if (spent && event.type !== 'attempt.closed') learn?.(event.taskId, model, spent);
      }
    },
    settleOpen() {
      for (const key of running.keys()) pool.settle(key, undefined);
      running.clear();
    },
  };
}

/** An amount of dollars is at least that of the list prices, and stays unknown where nobody told one and there is none. */
export function priced(model: string | undefined, usage: Usage): Spent {
  const costUsd = chargeOf(model, usage);
  return costUsd === null ? usage : { ...usage, costUsd };
}
