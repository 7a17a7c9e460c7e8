import { durations } from '../durations.ts';
import { listSchedule } from '../makespan/list-schedule.ts';
import { jobsOf, mixedPlan } from '../makespan/mixed-plan.ts';
import { absent, type Row, type Size } from '../row.ts';
import { WIDTH } from '../sandboxed-run.ts';
import { median } from '../timing.ts';
import { sideBySide } from './side-by-side.ts';

const ROUNDS = { full: 3, small: 1 };

/** Programs that sleep for mixed durations, five wide: the makespan over that of the ideal list schedule. */
export async function mixedBench(size: Size): Promise<Row[]> {
  const tasks = mixedPlan(size, 1);
  const seconds = durations(size).map(String);
  const seen = await sideBySide(ROUNDS[size], { program: '/bin/sleep', args: seconds }, tasks);
  const ideal = listSchedule(jobsOf(tasks), WIDTH);
  return [
    ...[...seen.times].map(
      ([name, times]): Row => ({
        bench: 'mixed',
        name,
        value: median(times),
        unit: 'ms',
        ratio: median(times) / ideal,
        note: `${tasks.length} tasks, list schedule ${ideal.toFixed(0)} ms`,
      }),
    ),
    ...seen.absent.map((name) => absent('mixed', name, 'ms')),
  ];
}
