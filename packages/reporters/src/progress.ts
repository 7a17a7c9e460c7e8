import type { RunEvent, TaskId } from '@atelier/engine';
import { NO_PLAN, type Plan, planAfter } from './plan.ts';

/** What a live view shows of a run: a fold of its events, changed in place. */
export interface Progress {
  plan: Plan;
  /** Waves opened so far. */
  waves: number;
  readonly running: Map<string, RunningAttempt>;
  /** Tasks whose work waits for a reviewer. */
  readonly reviewing: Set<string>;
  done: number;
  abandoned: number;
  held: number;
  ended: boolean;
}

interface RunningAttempt {
  readonly taskId: TaskId;
  readonly attempt: number;
  /** On the clock of whoever folds. */
  readonly since: number;
  /** Of a reviewer: whose work it looks at. */
  readonly reviews?: TaskId;
}

export const noProgress = (): Progress => ({
  plan: NO_PLAN,
  waves: 0,
  running: new Map(),
  reviewing: new Set(),
  done: 0,
  abandoned: 0,
  held: 0,
  ended: false,
});

/** Folds one event in; `now` is when it was seen. */
export function advance(progress: Progress, event: RunEvent, now: number): void {
  progress.plan = planAfter(progress.plan, event);
  switch (event.type) {
    case 'run.resumed':
      progress.ended = false;
      break;
    case 'wave.opened':
      progress.waves = event.wave + 1;
      break;
    case 'attempt.started': {
      const { taskId, attempt } = event;
      const reviews = event.reviews ? { reviews: event.reviews.taskId } : {};
      progress.running.set(String(taskId), { taskId, attempt, since: now, ...reviews });
      break;
    }
    case 'review.requested':
      progress.running.delete(String(event.taskId));
      progress.reviewing.add(String(event.taskId));
      break;
    case 'attempt.accepted':
    case 'attempt.closed':
      progress.running.delete(String(event.taskId));
      progress.reviewing.delete(String(event.taskId));
      break;
    case 'task.completed':
    case 'task.replayed':
      progress.done += 1;
      break;
    case 'task.abandoned':
      progress.abandoned += 1;
      break;
    case 'task.held':
      progress.held += 1;
      break;
    case 'run.finished':
      progress.ended = true;
      break;
  }
}
