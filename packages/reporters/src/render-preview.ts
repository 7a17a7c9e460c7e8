import type { PlanCommand, PlanPreview, PreviewTask, PreviewWave } from '@atelier/engine/plan';
import { printable } from '@atelier/envelope';
import { count } from './count.ts';
import { names } from './names.ts';
import { type BroughtFiles, commandLines } from './preview-commands.ts';
import { scheduleText } from './preview-schedule.ts';
import { type SpendRange, spendLines } from './preview-spend.ts';
import { type Column, table } from './table.ts';
import { waveName } from './wave-name.ts';

export interface RenderOptions {
  /** Columns of the terminal; 120 when absent. Narrow ones are respected as far as each column stays legible. */
  readonly width?: number;
  /** What the plan may use, by estimate. */
  readonly spend?: SpendRange;
  /** What a run would execute because the plan says so. */
  readonly commands?: readonly PlanCommand[];
  /** What it would bring into worktrees. */
  readonly worktree?: BroughtFiles;
  /** Nobody looked whether what tasks read is there. */
  readonly readsUnchecked?: boolean;
}

const COLUMNS: readonly Column[] = [
  { title: 'wave', min: 4, max: 16 },
  { title: 'task', min: 8, max: 24 },
  { title: 'title', min: 12, max: 48 },
  { title: 'worker', min: 8, max: 24 },
  { title: 'after', min: 8, max: 32 },
  { title: 'writes', min: 8, max: 40 },
];

/** Warnings spelled out before they are only counted. */
const WARNED = 20;

/** The waves of a plan as a plain-text table, with the bound on dispatches and the warnings below it. */
export function renderPreview(
  preview: PlanPreview,
  { width = 120, spend, commands = [], worktree, readsUnchecked = false }: RenderOptions = {},
): string {
  const rows = preview.waves.flatMap(waveRows);
  const lines = [
    `Goal: ${printable(preview.goal)}`,
    '',
    ...(rows.length > 0 ? [...table(COLUMNS, rows, width), ''] : []),
    summary(preview),
    ...scheduleText(preview),
    ...(spend ? spendLines(spend) : []),
    ...(readsUnchecked ? ['Reads were not checked: no commit was found here.'] : []),
    ...commandLines(commands, worktree),
    ...warnings(preview),
  ];
  return `${lines.join('\n')}\n`;
}

const waveRows = ({ wave, group, tasks }: PreviewWave): string[][] =>
  tasks.map((task, index) => [index === 0 ? waveName(wave + 1, group) : '', ...taskCells(task)]);

const taskCells = ({ id, title, worker, writes, ...task }: PreviewTask): string[] => [
  printable(id),
  printable(title),
  worker === null ? '-' : printable(worker),
  names(waitsFor(task)) || '-',
  writes === null ? '(not stated)' : names(writes) || '(nothing)',
];

/** A reviewer waits for its author in another way than the tasks of later waves do. */
const waitsFor = ({
  depends_on,
  reviews,
}: Pick<PreviewTask, 'depends_on' | 'reviews'>): readonly string[] =>
  reviews === undefined
    ? depends_on
    : [`reviews ${reviews}`, ...depends_on.filter((id) => id !== reviews)];

function summary({ live, closed, waves, maxDispatches, maxAttempts }: PlanPreview): string {
  const work =
    live === 0
      ? `Nothing to run: ${count(closed, 'task is', 'tasks are')} already closed.`
      : `${count(live, 'task', 'tasks')} in ${count(waves.length, 'wave', 'waves')}, ${closed} already closed.`;
  return `${work} The run halts after at most ${count(maxDispatches, 'dispatch', 'dispatches')} (${count(maxAttempts, 'attempt', 'attempts')} per task).`;
}

function warnings({ warnings: given }: PlanPreview): string[] {
  if (given.length === 0) return [];
  const rest = given.length - WARNED;
  return [
    '',
    'Warnings:',
    ...given.slice(0, WARNED).map(({ message }) => `- ${printable(message)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}
