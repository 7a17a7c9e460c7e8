import type { Schedule } from '../schedules.ts';
import { instantRun } from './instant-run.ts';
import { type Shape, shapedPlan } from './shapes.ts';

/** What the child is asked for, as its one argument. */
export interface Asked {
  readonly shape: Shape;
  readonly schedule: Schedule;
  /** Runs, one after the other, each of so many tasks. */
  readonly sizes: readonly number[];
}

/** What it says, as one line on standard output. */
export interface Said {
  readonly runs: readonly { readonly wallMs: number; readonly cpuMs: number }[];
  /** The most that the process has held in memory, its own start included. */
  readonly peakMB: number;
}

const { shape, schedule, sizes } = JSON.parse(process.argv[2] ?? '{}') as Asked;
const runs: { wallMs: number; cpuMs: number }[] = [];
for (const size of sizes) {
  const plan = shapedPlan(shape, size);
  // What the run before has left is not this one's.
  globalThis.gc?.();
  const cpu = process.cpuUsage();
  const began = performance.now();
  await instantRun(plan, schedule);
  const wallMs = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  runs.push({ wallMs, cpuMs: (user + system) / 1_000 });
}
const said: Said = { runs, peakMB: process.resourceUsage().maxRSS / 1_024 };
process.stdout.write(`${JSON.stringify(said)}\n`);
