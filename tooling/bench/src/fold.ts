import { foldRun } from '@atelier/engine';
import { layeredPlan } from './plan.ts';
import type { Row, Size } from './row.ts';
import { transcriptOf } from './simulate.ts';
import { fastest } from './timing.ts';

const SIZES = { full: [10_000, 100_000], small: [20, 100] };

/** Folding a run must cost the same per event at any size: ten times the tasks, the same microseconds. */
export async function foldBench(size: Size): Promise<Row[]> {
  const rows: Row[] = [];
  let base: number | undefined;
  for (const tasks of SIZES[size]) {
    const events = await transcriptOf(layeredPlan(tasks, 50));
    const ms = await fastest(5, () => foldRun(events));
    const value = (ms * 1000) / events.length;
    base ??= value;
    rows.push({
      bench: 'fold',
      name: `${tasks} tasks in 50 waves`,
      value,
      unit: 'µs/event',
      ratio: value / base,
      note: `${events.length} events in ${ms.toFixed(0)} ms`,
    });
  }
  return rows;
}
