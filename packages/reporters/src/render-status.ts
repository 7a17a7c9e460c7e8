import type { TaskId, TaskPhase, Verdict } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Column, table } from './table.ts';
import { waveName } from './wave-name.ts';
import { duration } from './when.ts';

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
      /** When the host last saw its worker alive, and when that last wrote something; ISO 8601. Nothing follows from it. */
      readonly lastSeen?: string;
      readonly lastOutput?: string;
    }[];
  }[];
}

const COLUMNS: readonly Column[] = [
  { title: 'wave', min: 4, max: 16 },
  { title: 'task', min: 8, max: 40 },
  { title: 'phase', min: 9, max: 9 },
  { title: 'attempts', min: 8, max: 8 },
];

const ALIVE: Column = { title: 'worker', min: 8, max: 48 };

interface StatusOptions {
  readonly width?: number;
  /** Epoch milliseconds: without it, ages are not told. */
  readonly now?: number;
}

/** Where a run stands, as a table of its tasks by wave. */
export function renderStatus(
  { runId, verdict, waves }: RunStatus,
  { width = 120, now }: StatusOptions = {},
): string {
  const tasks = waves.flatMap((wave) => wave.tasks);
  const complete = tasks.filter(({ phase }) => phase === 'complete').length;
  const isWatched = now !== undefined && tasks.some((task) => lifeText(task, now) !== '');
  const columns = isWatched ? [...COLUMNS, ALIVE] : COLUMNS;
  const rows = waves.flatMap((wave, index) =>
    wave.tasks.map(({ taskId, phase, attempts, ...life }, place) => [
      place === 0 ? waveName(index + 1, wave.group) : '',
      printable(taskId),
      printable(phase),
      `${attempts}`,
      ...(isWatched ? [lifeText(life, now)] : []),
    ]),
  );
  const state = verdict === undefined ? 'not ended' : printable(verdict);
  const heading = `Run ${printable(runId)}: ${state}. ${complete} of ${count(tasks.length, 'task', 'tasks')} done.`;
  return `${[heading, ...(rows.length > 0 ? ['', ...table(columns, rows, width)] : [])].join('\n')}\n`;
}

interface Life {
  readonly lastSeen?: string;
  readonly lastOutput?: string;
}

/** How long ago; empty where nobody looks or nothing is known. */
function lifeText({ lastSeen, lastOutput }: Life, now = Number.NaN): string {
  const ago = (what: string, at: string | undefined) => {
    const ms = at === undefined ? Number.NaN : now - Date.parse(at);
    return Number.isFinite(ms) ? [`${what} ${duration(Math.max(0, ms))} ago`] : [];
  };
  return [...ago('alive', lastSeen), ...ago('wrote', lastOutput)].join(', ');
}
