import type { RunEvent } from '../core/event.ts';
import { type TaskId, taskKey } from '../core/task.ts';

/** How long a task waited, or its checked work. */
export interface Wait {
  readonly taskId: TaskId;
  readonly ms: number;
}

/** Checked work that waits for its integration: a fold. */
export interface HeldWork {
  event(event: RunEvent, now: number): void;
  /** What the work of a task waited in the end. */
  waited(key: string): number | undefined;
  totalMs(): number;
  /** How often work waited at all. */
  count(): number;
  longest(): Wait | undefined;
}

export function heldWork(): HeldWork {
  const acceptedAt = new Map<string, number>();
  const waits = new Map<string, number>();
  let total = 0;
  let count = 0;
  let longest: Wait | undefined;
  return {
    event(event, now) {
      switch (event.type) {
        case 'attempt.accepted':
          acceptedAt.set(taskKey(event.taskId), now);
          break;
        case 'attempt.closed':
          acceptedAt.delete(taskKey(event.taskId));
          break;
        case 'integration.started':
          for (const taskId of event.taskIds) {
            const key = taskKey(taskId);
            const since = acceptedAt.get(key);
            // An integration that is begun anew has kept nobody waiting for the barrier.
            if (since === undefined) continue;
            acceptedAt.delete(key);
            const ms = now - since;
            waits.set(key, ms);
            if (ms === 0) continue;
            total += ms;
            count += 1;
            if (ms > (longest?.ms ?? 0)) longest = { taskId, ms };
          }
          break;
      }
    },
    waited: (key) => waits.get(key),
    totalMs: () => total,
    count: () => count,
    longest: () => longest,
  };
}
