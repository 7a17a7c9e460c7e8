import type { Task } from '@atelier/engine';
import { inFolder } from '../in-folder.ts';
import { type Bound, held, type Row, type Size } from '../row.ts';
import { sandboxedRun, type Took, WIDTH } from '../sandboxed-run.ts';
import type { Schedule } from '../schedules.ts';
import { median } from '../timing.ts';
import { listSchedule, listScheduleOfWaves } from './list-schedule.ts';
import { jobsOf, mixedPlan, wavesOf } from './mixed-plan.ts';

const ROUNDS = { full: 3, small: 1 };

/** One way to run the sixty tasks. */
interface Way {
  readonly name: string;
  readonly waves: number;
  readonly schedule: Schedule;
  readonly bound: Bound;
}

const WAYS: readonly Way[] = [
  { name: 'barrier, one wave', waves: 1, schedule: 'parallel', bound: { atMost: 1.02 } },
  { name: 'barrier, four waves', waves: 4, schedule: 'parallel', bound: { atMost: 1.02 } },
  { name: 'pipeline, four groups', waves: 4, schedule: 'pipeline', bound: { atMost: 1.05 } },
];

/**
 * Sandboxed workers of mixed durations, five wide, against the list schedule of the same tasks: with the seconds that
 * each sleeps, and with the time that each was seen to take, which leaves what the schedule itself adds.
 */
export async function makespanBench(size: Size): Promise<Row[]> {
  const seen = new Map<Way, Took[]>(WAYS.map((way) => [way, []]));
  for (let round = 0; round < ROUNDS[size]; round += 1)
    for (const [way, tooks] of seen)
      tooks.push(
        await inFolder((folder) =>
          sandboxedRun(mixedPlan(size, way.waves), { folder, schedule: way.schedule }),
        ),
      );
  return [...seen].flatMap(([way, tooks]) => rowsOf(way, mixedPlan(size, way.waves), tooks));
}

function rowsOf(way: Way, tasks: readonly Task[], tooks: readonly Took[]): Row[] {
  const ideal = boundOf(way, tasks);
  const value = median(tooks.map(({ ms }) => ms));
  const own = median(tooks.map(({ ms, workersMs }) => ms / boundOf(way, tasks, workersMs)));
  const row = { bench: 'makespan', value, unit: 'ms' };
  const note = `${tasks.length} tasks, list schedule ${ideal.toFixed(0)} ms`;
  return [
    held({ ...row, name: way.name, ratio: value / ideal, note }, way.bound),
    {
      ...row,
      name: `${way.name}: of what its workers took`,
      ratio: own,
      note: 'start-up of process and sandbox counted as work',
    },
  ];
}

const boundOf = (
  { schedule }: Way,
  tasks: readonly Task[],
  tookMs?: ReadonlyMap<string, number>,
): number =>
  schedule === 'pipeline'
    ? listSchedule(jobsOf(tasks, tookMs), WIDTH)
    : listScheduleOfWaves(wavesOf(tasks, tookMs), WIDTH);
