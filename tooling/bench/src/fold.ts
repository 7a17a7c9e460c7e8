import { foldRun } from '@atelier/engine';
import { layeredPlan } from './plan.ts';
import { transcriptOf } from './simulate.ts';
import { fastest } from './timing.ts';

/** Folding a run must cost the same per event at any size: ten times the tasks, the same microseconds. */
export async function foldBench(): Promise<string[]> {
  const lines = ['fold: events of a run in 50 waves into its state'];
  let base: number | undefined;
  for (const size of [10_000, 100_000]) {
    const events = await transcriptOf(layeredPlan(size, 50));
    const ms = await fastest(5, () => foldRun(events));
    const perEvent = (ms * 1000) / events.length;
    base ??= perEvent;
    lines.push(
      `  ${size} tasks, ${events.length} events: ${ms.toFixed(0)} ms, ${perEvent.toFixed(2)} µs an event, ratio ${(perEvent / base).toFixed(2)}`,
    );
  }
  return lines;
}
