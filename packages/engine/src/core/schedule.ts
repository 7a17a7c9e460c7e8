import type { Pairing } from './pairing.ts';
import { type Task, taskKey } from './task.ts';
import { partitionWaves } from './waves.ts';

/** One wave as it runs: a reviewer stands behind its author, whatever its own group says. */
export interface ScheduledWave {
  readonly group: number;
  readonly tasks: readonly Task[];
}

export function schedule(tasks: readonly Task[], { authors, reviewers }: Pairing): ScheduledWave[] {
  const byKey = new Map(tasks.map((task) => [taskKey(task.id), task]));
  const alone = tasks.filter(({ id }) => !authors.has(taskKey(id)));
  return partitionWaves(alone).map((wave) => ({
    group: wave[0]?.parallel_group ?? 0,
    tasks: wave.flatMap((task) => [
      task,
      ...(reviewers.get(taskKey(task.id)) ?? []).flatMap((key) => byKey.get(key) ?? []),
    ]),
  }));
}
