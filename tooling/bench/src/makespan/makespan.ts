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
 * Sandboxed workers of mixed durations, five wide, against the list schedule of the same tasks. A schedule is held to
 * that of the time which each worker was seen to take, for that is all that it can do something about; beside it stands
 * that of the seconds which each sleeps, to be read beside what `mixed` tells of xargs behind the same walls.
 */
export async function makespanBench(size: Size): Promise<Row[]> {
  const seen = new Map<Way, Took[]>(WAYS.map((way) => [way, []]));
  const took = ({ waves, schedule }: Way, many: Size): Promise<Took> =>
    inFolder((folder) => sandboxedRun(mixedPlan(many, waves), { folder, schedule }));
  // A process that has run nothing yet compiles as it goes.
  for (const way of WAYS) await took(way, 'small');
  for (let round = 0; round < ROUNDS[size]; round += 1)
    for (const [way, tooks] of seen) tooks.push(await took(way, size));
  return [...seen].flatMap(([way, tooks]) => rowsOf(way, mixedPlan(size, way.waves), tooks));
}

function rowsOf(way: Way, tasks: readonly Task[], tooks: readonly Took[]): Row[] {
  const ideal = boundOf(way, tasks);
  const value = median(tooks.map(({ ms }) => ms));
  const own = median(tooks.map(({ ms, workersMs }) => ms / boundOf(way, tasks, workersMs)));
  const row = { bench: 'makespan', value, unit: 'ms' };
  return [
    held(
      {
        ...row,
        name: way.name,
        ratio: own,
        note: `${tasks.length} tasks, of what its workers took`,
      },
      way.bound,
    ),
    {
      ...row,
      name: `${way.name}: of the seconds they sleep`,
      ratio: value / ideal,
      note: `${ideal.toFixed(0)} ms; no start of a process, no walls`,
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
