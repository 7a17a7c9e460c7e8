import { compareIds, compareText } from './id-order.ts';
import { canonicalInstant } from './instant.ts';
import { isClosed, type Task } from './task.ts';

/** Sorts after every instant: a row without `created_at` counts as made when the run starts. */
const NOW = '~';

/**
 * The live tasks by `(parallel_group, created_at, id)`, cut into maximal runs of one group: the waves.
 * Total and reproducible. Assumes what {@link preflight} asserts.
 */
export function partitionWaves<T extends Task>(tasks: readonly T[]): T[][] {
  const rows = tasks
    .filter((task) => !isClosed(task))
    .map((task) => ({ task, group: task.parallel_group ?? 0, instant: instantOf(task) }));
  rows.sort(
    (a, b) =>
      a.group - b.group || compareText(a.instant, b.instant) || compareIds(a.task.id, b.task.id),
  );
  const waves: T[][] = [];
  let group: number | undefined;
  for (const row of rows) {
    if (row.group !== group) waves.push([]);
    group = row.group;
    waves.at(-1)?.push(row.task);
  }
  return waves;
}

const instantOf = (task: Task): string => {
  if (task.created_at === undefined || task.created_at === null) return NOW;
  return canonicalInstant(task.created_at) ?? NOW;
};
