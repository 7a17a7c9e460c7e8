import { held, type Row, type Size } from '../row.ts';
import { SCHEDULES } from '../schedules.ts';
import { median } from '../timing.ts';
import { askChild } from './ask-child.ts';
import type { Said } from './child.ts';
import { shapesOf } from './shapes.ts';

const SIZES = { full: [1_000, 10_000, 100_000], small: [20, 100] };
const ROUNDS = { full: 3, small: 1 };

/** A compiled engine: so many tasks before anything counts. */
const WARM = { full: 20_000, small: 20 };

const GROWTH = { atMost: 1.1 };

/** What a task costs at each power of ten, in each shape, under each schedule: it may hardly grow. */
export async function costBench(size: Size): Promise<Row[]> {
  const rows: Row[] = [];
  for (const shape of shapesOf(size))
    for (const schedule of SCHEDULES) {
      const rounds: Figures[] = [];
      for (let round = 0; round < ROUNDS[size]; round += 1)
        rounds.push(await measured({ shape, schedule }, size));
      rows.push(...rowsOf(`${schedule}, ${shape}`, rounds, size));
    }
  return rows;
}

/** Of each size, microseconds of a task. */
type Figures = readonly { readonly wall: number; readonly cpu: number }[];

/** Small plans are run as often as needed to be about as much work as the one after the next. */
async function measured(
  what: Pick<Parameters<typeof askChild>[0], 'shape' | 'schedule'>,
  size: Size,
): Promise<Figures> {
  const sizes = SIZES[size];
  const largest = sizes.at(-1) ?? 0;
  const times = (tasks: number) => Math.max(1, Math.min(9, Math.round(largest / tasks / 2)));
  const { runs } = await askChild({
    ...what,
    sizes: [WARM[size], ...sizes.flatMap((tasks) => Array(times(tasks)).fill(tasks))],
  });
  let at = 1;
  return sizes.map((tasks) => {
    const own = runs.slice(at, at + times(tasks));
    at += times(tasks);
    const perTask = (ms: (one: Said['runs'][number]) => number) =>
      (median(own.map(ms)) * 1_000) / tasks;
    return { wall: perTask(({ wallMs }) => wallMs), cpu: perTask(({ cpuMs }) => cpuMs) };
  });
}

/** Growth is of processor time: what else runs on the machine is in the wall clock. */
function rowsOf(name: string, rounds: readonly Figures[], size: Size): Row[] {
  return SIZES[size].map((tasks, at) => {
    const of = (key: 'wall' | 'cpu', where: number) =>
      rounds.map((figures) => figures[where]?.[key] ?? Number.NaN);
    const row: Row = {
      bench: 'cost',
      name: `${name}, ${tasks}`,
      value: median(of('cpu', at)),
      unit: 'µs/task',
      note: `processor; wall ${median(of('wall', at)).toFixed(1)}`,
    };
    if (at === 0) return row;
    const before = of('cpu', at - 1);
    const growth = of('cpu', at).map((cpu, round) => cpu / (before[round] ?? Number.NaN));
    return held({ ...row, ratio: median(growth) }, GROWTH);
  });
}
