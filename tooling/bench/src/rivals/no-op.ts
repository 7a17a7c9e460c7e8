import { absent, type Row, type Size } from '../row.ts';
import { median, ratioOf } from '../timing.ts';
import { sideBySide } from './side-by-side.ts';

const SIZES = { full: { tasks: 200, rounds: 3 }, small: { tasks: 2, rounds: 1 } };

/** What a task costs that does nothing, five wide; against xargs, which keeps nothing and walls nobody in. */
export async function noOpBench(size: Size): Promise<Row[]> {
  const { tasks, rounds } = SIZES[size];
  const names = Array.from({ length: tasks }, (_, index) => `t${index + 1}`);
  const seen = await sideBySide(
    rounds,
    { program: '/bin/true', args: names },
    names.map((id) => ({ id, parallel_group: 1, writes: [] })),
  );
  const xargs = seen.times.get('xargs -P') ?? [];
  return [
    ...[...seen.times].map(
      ([name, times]): Row => ({
        bench: 'no-op',
        name,
        value: median(times) / tasks,
        unit: 'ms/task',
        ratio: ratioOf(times, xargs),
        note: `${tasks} tasks; over xargs`,
      }),
    ),
    ...seen.absent.map((name) => absent('no-op', name, 'ms/task')),
  ];
}
