import type { RunEvent } from '../core/event.ts';
import { orderOf } from '../core/order/order-of.ts';
import { authorOf, type RunState } from '../core/state.ts';
import { taskKey } from '../core/task.ts';
import { headStarts, type OpenedWave } from './head-starts.ts';
import type { Wait } from './held-work.ts';

/** What happened under one plan, as far as it tells who could have started earlier: a fold. */
export interface PlanInForce {
  /** Takes an event that is folded into the state already. `waited` is what a task's work waited for its wave. */
  event(event: RunEvent, now: number, waited: (key: string) => number | undefined): void;
  /** Tells that from now on a worker has nothing to do. */
  idle(now: number): void;
  /** To be asked once, at the end. */
  headStarts(): Wait[];
}

/** Begins with a state in which the plan has just been laid out. */
export function planInForce(state: RunState): PlanInForce {
  const order = orderOf(
    state,
    state.waves.flatMap(({ keys }) => keys),
  );
  const started = new Set<string>();
  const waves: OpenedWave[] = [];
  const ends: { readonly key: string; readonly at: number }[] = [];
  let busyUntil = 0;

  /** Who reviews closes with the author, and has waited as long. */
  const authorKey = (key: string) => {
    const own = state.tasks.get(key);
    return (own && authorOf(state, own)?.key) ?? key;
  };
  return {
    event(event, now, waited) {
      switch (event.type) {
        case 'wave.opened':
          waves.push({ at: now, busyUntil, tasks: authorsIn(state) });
          break;
        case 'attempt.started':
          started.add(taskKey(event.taskId));
          break;
        case 'task.completed': {
          const key = taskKey(event.taskId);
          ends.push({ key, at: now - (waited(key) ?? waited(authorKey(key)) ?? 0) });
          break;
        }
        case 'task.replayed':
        case 'task.abandoned':
        case 'task.held':
          ends.push({ key: taskKey(event.taskId), at: now });
          break;
      }
    },
    idle(now) {
      busyUntil = now;
    },
    headStarts: () =>
      headStarts(waves, order, ends).filter(({ taskId }) => started.has(taskKey(taskId))),
  };
}

/** The tasks of the open wave, but for who reviews one of them: that starts when the other has ended. */
const authorsIn = (state: RunState): OpenedWave['tasks'] =>
  (state.wave?.keys ?? []).flatMap((key) => {
    const own = state.tasks.get(key);
    return own && !authorOf(state, own) ? [{ taskId: own.task.id, key }] : [];
  });
