import type { Policy, RunEvent, Task } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { columnsOf } from './fit.ts';

/** The size of a run's plan, closed rows left out. */
export interface Plan {
  /** False until the start of the run has been seen: a resumed run without its history. */
  readonly known: boolean;
  readonly tasks: number;
  readonly waves: number;
  /** Whether a wave waits for all of the one before it. */
  readonly hasBarriers: boolean;
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
  hasBarriers: true,
  maxAttempts: undefined,
  nameColumns: 16,
};

const CLOSED: ReadonlySet<unknown> = new Set(['complete', 'abandoned', 'held']);

/** The plan as it is after an event. */
export function planAfter(plan: Plan, event: RunEvent): Plan {
  if (event.type === 'run.resumed') return { ...plan, ...capsOf(event.policy) };
  if (event.type !== 'run.started' && event.type !== 'plan.taken') return plan;
  const live = event.tasks.filter(({ status }) => !CLOSED.has(status));
  return {
    known: true,
    tasks: live.length,
    waves: new Set(scheduled(live).map((task) => task.parallel_group)).size,
    ...(event.type === 'run.started' ? capsOf(event.policy) : capsOf(plan)),
    nameColumns: live.reduce(
      (widest, { id }) => Math.max(widest, Math.min(WIDEST, columnsOf(printable(id, WIDEST)))),
      NARROWEST,
    ),
  };
}

const capsOf = (
  given: Policy | Pick<Plan, 'maxAttempts' | 'hasBarriers'>,
): Pick<Plan, 'maxAttempts' | 'hasBarriers'> => ({
  maxAttempts: given.maxAttempts,
  hasBarriers: 'hasBarriers' in given ? given.hasBarriers : given.schedule !== 'pipeline',
});

/** How much there is to do, in words. */
export const planSize = ({ tasks, waves, hasBarriers }: Plan): string =>
  `${count(tasks, 'task', 'tasks')} ${hasBarriers ? `in ${count(waves, 'wave', 'waves')}` : 'without barriers'}`;

/** The tasks that a wave is made of: who reviews a live task runs in the wave of that task. */
function scheduled(live: readonly Task[]): readonly Task[] {
  const keys = new Set(live.map(({ id }) => String(id)));
  return live.filter(
    ({ reviews }) => reviews === undefined || reviews === null || !keys.has(String(reviews)),
  );
}
