import type { TaskId, TaskPhase, Verdict } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Column, table } from './table.ts';
import { waveName } from './wave-name.ts';

/** Where a run stands, as far as its journal tells. */
export interface RunStatus {
  readonly runId: string;
  /** Absent while the run has not ended. */
  readonly verdict?: Verdict;
  /** In their order, each task in its wave. */
  readonly waves: readonly {
    readonly group: number;
    readonly tasks: readonly {
      readonly taskId: TaskId;
      readonly phase: TaskPhase;
      readonly attempts: number;
    }[];
  }[];
}

const COLUMNS: readonly Column[] = [
  { title: 'wave', min: 4, max: 16 },
  { title: 'task', min: 8, max: 40 },
  { title: 'phase', min: 9, max: 9 },
  { title: 'attempts', min: 8, max: 8 },
];

/** Where a run stands, as a table of its tasks by wave. */
export function renderStatus(
  { runId, verdict, waves }: RunStatus,
  { width = 120 }: { readonly width?: number } = {},
): string {
  const tasks = waves.flatMap((wave) => wave.tasks);
  const complete = tasks.filter(({ phase }) => phase === 'complete').length;
  const rows = waves.flatMap((wave, index) =>
    wave.tasks.map(({ taskId, phase, attempts }, place) => [
      place === 0 ? waveName(index + 1, wave.group) : '',
      printable(taskId),
      printable(phase),
      `${attempts}`,
    ]),
  );
  const state = verdict === undefined ? 'not ended' : printable(verdict);
  const heading = `Run ${printable(runId)}: ${state}. ${complete} of ${count(tasks.length, 'task', 'tasks')} done.`;
  return `${[heading, ...(rows.length > 0 ? ['', ...table(COLUMNS, rows, width)] : [])].join('\n')}\n`;
}
