import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { previewPlan, validatePlan } from '@atelier/engine/plan';
import { ATELIER } from './atelier.ts';
import { inFolder } from './in-folder.ts';
import { ran } from './programs.ts';
import type { Row, Size } from './row.ts';
import { shapedPlan } from './scale/shapes.ts';
import { median, takeTurns, timed } from './timing.ts';

const SIZES = { full: { tasks: 10_000, rounds: 9 }, small: { tasks: 20, rounds: 1 } };

/** How long it takes to check a plan and show what it would do, in a process that is warm and as a command. */
export async function previewBench(size: Size): Promise<Row[]> {
  const { tasks, rounds } = SIZES[size];
  const plan = { goal: 'Say what is wanted', tasks: shapedPlan('waves of 100', tasks) };
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(plan));
    const command = (...args: readonly string[]) =>
      timed(() => ran(process.execPath, [ATELIER, ...args], { cwd: folder }));
    const times = await takeTurns(rounds, {
      library: () => timed(() => preview(plan)),
      nothing: () => command('--help'),
      command: () => command('plan', 'plan.json'),
      json: () => command('plan', 'plan.json', '--json'),
    });
    const row = (name: string, of: readonly number[], note: string): Row => ({
      bench: 'preview',
      name: `${tasks} tasks, ${name}`,
      value: median(of),
      unit: 'ms',
      note,
    });
    const start = `a process; its start is ${median(times.nothing).toFixed(0)} ms`;
    return [
      row('validatePlan and previewPlan', times.library, 'in a warm process'),
      row('atelier plan', times.command, start),
      row('atelier plan --json', times.json, start),
    ];
  });
}

function preview(input: object): void {
  const checked = validatePlan(input, { now: '2026-01-01T00:00:00Z' });
  if (!checked.ok) throw new Error(`the plan was refused: ${checked.issues[0]?.message}`);
  previewPlan(checked.plan);
}
