import { isClosed, type TaskId, taskKey } from '../core/task.ts';
import type { Plan } from './plan.ts';

/** A command that a run of a plan executes because the plan says so. Wire format; grows by optional keys. */
export interface PlanCommand {
  readonly kind: 'gate' | 'setup' | 'verify';
  readonly command: string;
  /** Of `verify`: the tasks whose work it judges. */
  readonly tasks?: readonly TaskId[];
}

/** Every command of a plan that a run may execute, in that order; the same `verify` of several tasks is one. */
export function commandsOf({ gate, worktree, tasks }: Plan): readonly PlanCommand[] {
  const verified = new Map<string, Map<string, TaskId>>();
  for (const task of tasks) {
    const { verify, id } = task;
    if (verify === undefined || isClosed(task)) continue;
    const judged = verified.get(verify) ?? new Map<string, TaskId>();
    verified.set(verify, judged.set(taskKey(id), id));
  }
  return [
    ...(gate === undefined ? [] : [{ kind: 'gate', command: gate } as const]),
    ...(worktree?.setup ?? []).map((command) => ({ kind: 'setup', command }) as const),
    ...[...verified].map(
      ([command, judged]) => ({ kind: 'verify', command, tasks: [...judged.values()] }) as const,
    ),
  ];
}
