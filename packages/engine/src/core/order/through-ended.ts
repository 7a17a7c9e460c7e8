import type { RunState, TaskState } from '../state.ts';

const ENDED: ReadonlySet<unknown> = new Set(['complete', 'abandoned', 'held']);

/** Whether a task takes no part in a run any more. */
export const hasEnded = ({ phase }: TaskState): boolean => ENDED.has(phase);

/**
 * Finds what a task waits for, through whatever has ended: a task that is lost is lost to everybody behind it, and whoever
 * stands behind a row that has ended can not start before that is known. Each ended row is walked once, without recursion;
 * rows that have ended may stand in a circle, which ends the walk.
 */
export function throughEnded(state: RunState): (task: TaskState) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const behind = ({ upstreams }: TaskState): TaskState[] =>
    upstreams.flatMap((key) => state.tasks.get(key) ?? []);
  const gathered = (task: TaskState): readonly string[] => {
    const open = behind(task).filter((one) => !hasEnded(one));
    const rest = behind(task).flatMap(({ key }) => known.get(key) ?? []);
    return [...new Set([...open.map(({ key }) => key), ...rest])];
  };
  const walk = (first: TaskState) => {
    const path = [first];
    const entered = new Set<string>();
    for (let task = path.at(-1); task; task = path.at(-1)) {
      if (entered.has(task.key) || known.has(task.key)) {
        if (!known.has(task.key)) known.set(task.key, gathered(task));
        path.pop();
        continue;
      }
      entered.add(task.key);
      for (const one of behind(task))
        if (hasEnded(one) && !known.has(one.key) && !entered.has(one.key)) path.push(one);
    }
  };
  return (task) => {
    for (const one of behind(task)) if (hasEnded(one) && !known.has(one.key)) walk(one);
    return gathered(task);
  };
}
