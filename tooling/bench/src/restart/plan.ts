import type { Task } from '@atelier/engine';
import { durations } from '../durations.ts';
import type { Size } from '../row.ts';

export interface RestartPlan {
  readonly tasks: readonly Task[];
  /** Proving walls, twice, is more than all else that a small bench does. */
  readonly sandboxed: boolean;
}

/** Two waves of the same length, in the order of the file; the description is what the worker sleeps. */
export function restartPlan(size: Size): RestartPlan {
  const all = durations(size);
  const tasks = all.map((seconds, index) => ({
    id: `t${index + 1}`,
    parallel_group: index < all.length / 2 ? 1 : 2,
    description: String(seconds),
  }));
  return { tasks, sandboxed: size === 'full' };
}
