import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Task } from '@atelier/engine';

/** Seconds that the tasks take, one line each. */
const durations = (): string[] =>
  readFileSync(join(import.meta.dirname, '../../data/mixed-durations.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Two waves of the same length, in the order of the file; the description is what the worker sleeps. */
export function restartPlan(): Task[] {
  const all = durations();
  return all.map((seconds, index) => ({
    id: `t${index + 1}`,
    parallel_group: index < all.length / 2 ? 1 : 2,
    description: seconds,
  }));
}
