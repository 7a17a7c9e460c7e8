import type { Row, Size } from '../row.ts';
import { SCHEDULES } from '../schedules.ts';
import { askChild } from './ask-child.ts';
import { shapesOf } from './shapes.ts';

const SIZES = { full: [10_000, 100_000], small: [50] };

/** The most memory that a process holds which does nothing but run such a plan; the ratio is its growth. */
export async function memoryBench(size: Size): Promise<Row[]> {
  const rows: Row[] = [];
  const idle = await askChild({ shape: 'one wave', schedule: 'parallel', sizes: [1] });
  for (const shape of shapesOf(size))
    for (const schedule of SCHEDULES) {
      let before: number | undefined;
      for (const tasks of SIZES[size]) {
        const { peakMB } = await askChild({ shape, schedule, sizes: [tasks] });
        const own = ((peakMB - idle.peakMB) * 1_024) / tasks;
        rows.push({
          bench: 'memory',
          name: `${schedule}, ${shape}, ${tasks}`,
          value: peakMB,
          unit: 'MB',
          ...(before === undefined ? {} : { ratio: own / before }),
          note: `${own.toFixed(1)} KB a task over an idle process`,
        });
        before = own;
      }
    }
  return rows;
}
