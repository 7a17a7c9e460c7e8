import type { RunEvent, Task } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { columnsOf } from './fit.ts';

/** The size of a run's plan, closed rows left out. */
export interface Plan {
  /** False until the start of the run has been seen: a resumed run without its history. */
  readonly known: boolean;
  readonly tasks: number;
  readonly waves: number;
  readonly maxAttempts: number | undefined;
  /** Columns that the names of the tasks take, within bounds. */
  readonly nameColumns: number;
}

const NARROWEST = 8;

const WIDEST = 24;

/** The plan before anything is known of it. */
export const NO_PLAN: Plan = {
  known: false,
  tasks: 0,
  waves: 0,
  maxAttempts: undefined,
  nameColumns: 16,
};

const CLOSED: ReadonlySet<unknown> = new Set(['complete', 'abandoned', 'held']);

/** The plan as it is after an event. */
export function planAfter(plan: Plan, event: RunEvent): Plan {
  if (event.type === 'run.resumed') return { ...plan, maxAttempts: event.policy.maxAttempts };
  if (event.type !== 'run.started' && event.type !== 'plan.taken') return plan;
  const live = event.tasks.filter(({ status }) => !CLOSED.has(status));
  return {
    known: true,
    tasks: live.length,
    waves: new Set(scheduled(live).map((task) => task.parallel_group)).size,
    maxAttempts: event.type === 'run.started' ? event.policy.maxAttempts : plan.maxAttempts,
    nameColumns: live.reduce(
      (widest, { id }) => Math.max(widest, Math.min(WIDEST, columnsOf(printable(id, WIDEST)))),
      NARROWEST,
    ),
  };
}

/** The tasks that a wave is made of: who reviews a live task runs in the wave of that task. */
function scheduled(live: readonly Task[]): readonly Task[] {
  const keys = new Set(live.map(({ id }) => String(id)));
  return live.filter(
    ({ reviews }) => reviews === undefined || reviews === null || !keys.has(String(reviews)),
  );
}
