import type { Task } from '../core/task.ts';
import type { RunOptions } from './options.ts';
import { type RunReport, run } from './run.ts';

/** {@link run}, wave by wave: no task starts before every task of the waves before it has ended. */
export const parallel = (tasks: readonly Task[], options: RunOptions): Promise<RunReport> =>
  run(tasks, { ...options, policy: { ...options.policy, schedule: 'parallel' } });

/**
 * {@link run} without barriers: a task starts as soon as its upstreams are done and merged, and everything that is not
 * proved independent of it and stands before it in the plan has ended. What a task does not declare counts as anything.
 */
export const pipeline = (tasks: readonly Task[], options: RunOptions): Promise<RunReport> =>
  run(tasks, { ...options, policy: { ...options.policy, schedule: 'pipeline' } });
