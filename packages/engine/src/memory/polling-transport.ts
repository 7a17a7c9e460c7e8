import { EngineError } from '../core/error.ts';
import { DEFAULTS } from '../core/policy.ts';
import type { Task } from '../core/task.ts';
import { messageOf } from '../shell/bounded.ts';
import { type Clock, systemClock } from '../shell/clock.ts';
import type { AttemptReport, Transport, WorkOrder } from '../shell/transport.ts';

/** The two functions that a table- or queue-backed backend consists of. */
export interface PollingSeams {
  /** Starts a worker and does not wait for it. */
  readonly spawn: (task: Task, attempt: number, order: WorkOrder) => unknown;
  /** Reads the reply without consuming or waiting; `null` or `undefined` while there is none. */
  readonly poll: (task: Task, attempt: number) => unknown;
  /** Ends a worker, also one that has replied. Without it a stopped worker is only no longer listened to. */
  readonly cancel?: (task: Task, attempt: number) => unknown;
  readonly clock?: Clock;
  /** Between two scans; 200 ms when absent. */
  readonly intervalMs?: number;
}

/** A transport over `spawn` and `poll`. Throws `NOT_IMPLEMENTED` naming the one that is missing. */
export function pollingTransport(seams: PollingSeams): Transport {
  const { spawn, poll, cancel, clock = systemClock, intervalMs = DEFAULTS.pollIntervalMs } = seams;
  for (const [name, seam] of [
    ['spawn', spawn],
    ['poll', poll],
  ] as const)
    if (typeof seam !== 'function')
      throw new EngineError(
        'NOT_IMPLEMENTED',
        `the ${name} seam is missing: the engine does not ${name} workers itself`,
        `Pass pollingTransport a ${name}(task, attempt) function.`,
      );
  return {
    name: 'polling',
    capabilities: { adopt: false, stop: cancel ? 'kills' : 'detaches' },
    async start(order, signal) {
      signal.throwIfAborted();
      const { task, attempt } = order;
      await spawn(task, attempt, order);
      if (signal.aborted) {
        await cancel?.(task, attempt);
        signal.throwIfAborted();
      }
      const over = new AbortController();
      let stopping: Promise<void> | undefined;
      const scan = async (): Promise<AttemptReport> => {
        try {
          while (!over.signal.aborted) {
            const reply = await poll(task, attempt);
            if (reply !== null && reply !== undefined) {
              // A report says that the worker has ended, and a reply alone does not.
              await cancel?.(task, attempt);
              return { kind: 'replied', reply };
            }
            await clock.sleep(intervalMs, over.signal);
          }
          return { kind: 'failed', cause: 'interrupted', detail: 'no longer polled' };
        } catch (error) {
          return { kind: 'failed', cause: 'transport', detail: `poll threw: ${messageOf(error)}` };
        }
      };
      return {
        report: scan(),
        peek: async () => poll(task, attempt),
        stop: () => {
          over.abort();
          stopping ??= Promise.resolve(cancel?.(task, attempt)).then(() => undefined);
          return stopping;
        },
      };
    },
  };
}
