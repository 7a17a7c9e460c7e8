import { plainPath } from '../core/paths.ts';
import { isPattern } from '../core/places.ts';
import { type Task, workerOf } from '../core/task.ts';
import type { Plan } from './plan.ts';

/** A plan without defects as it is handed out: names, times and paths in one spelling. */
export const normalisedPlan = (plan: Plan, now: string): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => normalisedTask(task, now)),
});

function normalisedTask(task: Task, now: string): Task {
  const { assigned_to: _alias, ...rest } = task;
  const worker = workerOf(task);
  return {
    ...rest,
    ...respelled(rest),
    created_at: task.created_at ?? now,
    ...(worker === null ? {} : { assigned_persona: worker }),
  };
}

/** Its lists in which a path is to be spelled in another way. */
function respelled(task: Task): Partial<Task> {
  const lists: Record<string, readonly string[]> = {};
  for (const field of ['reads', 'writes', 'must_produce'] as const) {
    const { [field]: list } = task;
    if (list?.some((path) => path !== normalisedPath(path)))
      lists[field] = list.map(normalisedPath);
  }
  return lists;
}

/** The slash at the end of a pattern stays, since it makes the pattern one for folders and what is in them. */
function normalisedPath(path: string): string {
  const plain = plainPath(path.normalize('NFC'));
  return path.endsWith('/') && isPattern(plain) ? `${plain}/` : plain;
}
