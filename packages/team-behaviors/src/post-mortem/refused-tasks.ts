import type { StoppedLine } from './stopped-lines.ts';

/** A task, and what it waits for. */
export interface TaskLinks {
  readonly id: string | number;
  /** All its upstreams, however the plan says so: `depends_on`, reads of what they write, reviews. */
  readonly upstream: readonly (string | number)[];
}

/** A task that may not be dispatched, and the line that it belongs to. */
export interface RefusedTask {
  readonly taskId: string | number;
  readonly line: StoppedLine;
}

/**
 * The tasks of a plan that a stopped line refuses: its own, and all that depend on it, however far. In the order of the
 * plan. Ids are compared as text.
 */
export function refusedTasks(
  tasks: readonly TaskLinks[],
  lines: readonly StoppedLine[],
): readonly RefusedTask[] {
  const refused = new Map<string, StoppedLine>();
  for (const line of lines)
    if (line.taskId !== undefined && !refused.has(line.taskId)) refused.set(line.taskId, line);
  const dependents = new Map<string, string[]>();
  for (const { id, upstream } of tasks)
    for (const one of upstream) {
      const known = dependents.get(String(one));
      if (known) known.push(String(id));
      else dependents.set(String(one), [String(id)]);
    }
  // A map can grow while it is walked: each task is met once.
  for (const [id, line] of refused)
    for (const dependent of dependents.get(id) ?? [])
      if (!refused.has(dependent)) refused.set(dependent, line);
  return tasks.flatMap(({ id }) => {
    const line = refused.get(String(id));
    return line ? [{ taskId: id, line }] : [];
  });
}
