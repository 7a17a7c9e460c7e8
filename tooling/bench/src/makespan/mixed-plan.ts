import type { Task } from '@atelier/engine';
import { durations } from '../durations.ts';
import type { Size } from '../row.ts';
import type { Job } from './list-schedule.ts';

/**
 * Tasks of mixed durations in waves of one width, each waiting for its namesake one wave earlier and for nothing else;
 * the description is the seconds that its worker sleeps.
 */
export function mixedPlan(size: Size, waves: number): Task[] {
  const all = durations(size);
  const width = Math.ceil(all.length / waves);
  return all.map((seconds, index) => ({
    id: nameOf(index),
    parallel_group: Math.floor(index / width) + 1,
    // Ids alone would put t10 before t2.
    created_at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
    description: String(seconds),
    depends_on: index < width ? [] : [nameOf(index - width)],
    reads: index < width ? [] : [`out/${nameOf(index - width)}`],
    writes: [`out/${nameOf(index)}`],
  }));
}

const nameOf = (index: number): string => `t${index + 1}`;

/** The plan as jobs, each taking what its worker sleeps or, where that was seen, what its worker took. */
export const jobsOf = (tasks: readonly Task[], tookMs?: ReadonlyMap<string, number>): Job[] =>
  tasks.map(({ id, description, depends_on }) => ({
    key: String(id),
    ms: tookMs?.get(String(id)) ?? Number(description) * 1_000,
    after: (depends_on ?? []).map(String),
  }));

/** Such jobs wave by wave. */
export function wavesOf(
  tasks: readonly Task[],
  tookMs?: ReadonlyMap<string, number>,
): readonly (readonly Job[])[] {
  const waves = new Map<unknown, Task[]>();
  for (const task of tasks)
    waves.set(task.parallel_group, [...(waves.get(task.parallel_group) ?? []), task]);
  return [...waves.values()].map((wave) => jobsOf(wave, tookMs));
}
