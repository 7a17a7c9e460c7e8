import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { type Column, table } from './table.ts';

/** What would become of one task if a run went on, or started, now. */
export interface ForecastRow {
  readonly id: string | number;
  /** Where it stands in the run; absent where no run has begun. */
  readonly phase?: string;
  /**
   * `kept`: it is over. `continues`: what is in flight goes on. `replay`: merged work of an earlier run stands for it.
   * `rerun`: it is dispatched. `unknown`: which of the last two only shows when its turn comes. `abandon`: without a
   * dispatch.
   */
  readonly fate: 'kept' | 'continues' | 'replay' | 'rerun' | 'unknown' | 'abandon';
  readonly why: string;
}

/** Wire format; grows by optional keys within a version. */
export interface Forecast {
  readonly version: 1;
  /** The run that would go on; absent for one that would start. */
  readonly run_id?: string;
  readonly tasks: readonly ForecastRow[];
}

const COLUMNS: readonly Column[] = [
  { title: 'task', min: 8, max: 24 },
  { title: 'is', min: 4, max: 9 },
  { title: 'then', min: 6, max: 9 },
  { title: 'why', min: 24, max: 120 },
];

/** What would be kept and what done again, a line for each task, and the sums. */
export function renderForecast(
  { run_id, tasks }: Forecast,
  { width = 120 }: { readonly width?: number } = {},
): string {
  const heading =
    run_id === undefined
      ? 'A run of this plan, by what earlier runs have merged:'
      : `Run ${printable(run_id)}, if it is resumed as its journal stands:`;
  const rows = tasks.map(({ id, phase = '-', fate, why }) => [
    printable(id),
    printable(phase),
    FATES[fate],
    printable(why),
  ]);
  const sums = Object.entries(FATES).flatMap(([fate, words]) => {
    const some = tasks.filter((task) => task.fate === fate).length;
    return some > 0 ? [`${some} ${words}`] : [];
  });
  const sum = `${count(tasks.length, 'task', 'tasks')}: ${sums.join(', ') || 'nothing to do'}.`;
  return `${[heading, '', ...table(COLUMNS, rows, width), '', sum].join('\n')}\n`;
}

const FATES: Readonly<Record<ForecastRow['fate'], string>> = {
  kept: 'kept',
  continues: 'goes on',
  replay: 'replayed',
  rerun: 'done anew',
  unknown: 'not known',
  abandon: 'given up',
};
