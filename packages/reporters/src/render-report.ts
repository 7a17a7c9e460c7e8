import type { BarrierCost, Escalation, Outcome, RunReport, TaskId } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { barrierLines } from './barrier-lines.ts';
import { count } from './count.ts';
import { factsIn } from './evidence.ts';
import { names } from './names.ts';
import { UNSANDBOXED } from './opening.ts';
import { outcomeRow } from './outcome-row.ts';
import { parkingText, remedy } from './parking-text.ts';
import { type Column, table } from './table.ts';
import { mismatchTexts } from './work-text.ts';

export interface ReportOptions {
  /** The branch that holds the merged work. */
  readonly runBranch?: string;
  /** The command that takes the merged work over. */
  readonly mergeCommand?: string;
  /** The branch that took the merged work over when the run had ended: then no command is shown. */
  readonly merged?: string;
  /** Why the branch that should have taken the merged work over did not. */
  readonly notMerged?: string;
  /** The command that goes on with a parked or interrupted run; `atelier resume` when absent. */
  readonly resumeCommand?: string;
  readonly unsandboxed?: boolean;
  /** What whole waves have cost; it is shown when it matters. */
  readonly barrier?: BarrierCost | undefined;
  /** Columns of the terminal; 120 when absent. */
  readonly width?: number;
}

const COLUMNS: readonly Column[] = [
  { title: 'task', min: 8, max: 24 },
  { title: 'outcome', min: 16, max: 48 },
  { title: 'attempts', min: 8, max: 8 },
  { title: 'detail', min: 12, max: 80 },
];

/** Code points of a command or a branch: cut, it would be another one. */
const WHOLE = 4096;

/** What became of a run: a line for each task, then what a person has to know and do. */
export function renderReport(report: RunReport, options: ReportOptions = {}): string {
  const { outcomes } = report;
  const sections = [
    [heading(report), ...(options.unsandboxed ? [`${UNSANDBOXED}.`] : [])],
    outcomes.length > 0 ? table(COLUMNS, outcomes.map(outcomeRow), options.width ?? 120) : [],
    claims(outcomes),
    escalations(report.escalations),
    goingOn(report, options),
    faults(report),
    barrierLines(options.barrier),
    merging(options),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function heading({ runId, verdict, outcomes, dispatches }: RunReport): string {
  const done = outcomes.filter(({ kind }) => kind === 'done').length;
  const tasks = count(outcomes.length, 'task', 'tasks');
  return `Run ${printable(runId)}: ${printable(verdict)}. ${done} of ${tasks} done, ${count(dispatches, 'attempt', 'attempts')} charged.`;
}

/** Claims listed before they are only counted. */
const CLAIMS = 20;

/** What workers said of files and the host found otherwise. It decides nothing; a person should know. */
function claims(outcomes: readonly Outcome[]): string[] {
  const lines = outcomes.flatMap((outcome) =>
    outcome.kind === 'done'
      ? mismatchTexts(factsIn(outcome.evidence)).map(
          (text) => `- ${printable(outcome.taskId)}: ${text}`,
        )
      : [],
  );
  if (lines.length === 0) return [];
  const rest = lines.length - CLAIMS;
  return [
    'Claims that do not hold:',
    ...lines.slice(0, CLAIMS),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
  ];
}

/** That of a run that is parked is told where it says how to go on. */
function escalations(raised: readonly Escalation[]): string[] {
  const ofTasks = raised.filter(({ scope }) => scope !== 'run');
  if (ofTasks.length === 0) return [];
  return ['Escalations:', ...ofTasks.map((each) => `- ${escalationText(each)}`)];
}

function escalationText(escalation: Escalation): string {
  const { task_id, worker, attempt, category, last_status, upstream_task_id } = escalation;
  const artifacts = escalation.surviving_state?.artifacts ?? [];
  return [
    `${printable(task_id)}: ${printable(category)}${by(upstream_task_id)}`,
    `attempt ${attempt}${worker === null ? '' : ` by ${printable(worker)}`}`,
    ...(last_status === '' ? [] : [`last status ${printable(last_status)}`]),
    ...(artifacts.length === 0 ? [] : [`what its wave has left: ${names(artifacts)}`]),
  ].join(', ');
}

const by = (upstream: TaskId | null): string =>
  upstream === null ? '' : ` by ${printable(upstream)}`;

function goingOn({ verdict, parking }: RunReport, options: ReportOptions): string[] {
  if (verdict !== 'parked' && verdict !== 'interrupted') return [];
  const command = printable(options.resumeCommand ?? 'atelier resume', WHOLE);
  return [
    ...(parking ? [`The run is ${parkingText(parking)}.`, remedy(parking)] : []),
    `Go on with: ${command}`,
  ].filter((line) => line !== '');
}

function faults({ undelivered, observerErrors }: RunReport): string[] {
  const escalated = count(undelivered, 'escalation was', 'escalations were');
  return [
    ...(undelivered > 0 ? [`${escalated} not delivered; see the journal.`] : []),
    ...(observerErrors > 0
      ? [`Listeners of the run failed ${count(observerErrors, 'time', 'times')}.`]
      : []),
  ];
}

const merging = ({ runBranch, mergeCommand, merged, notMerged }: ReportOptions): string[] => [
  ...(runBranch === undefined
    ? []
    : [`The merged work is on the branch ${printable(runBranch, WHOLE)}.`]),
  ...(merged === undefined ? [] : [`Merged into ${printable(merged, WHOLE)}.`]),
  ...(notMerged === undefined ? [] : [`It was not merged: ${printable(notMerged, WHOLE)}`]),
  ...(mergeCommand === undefined || merged !== undefined
    ? []
    : [`Take it over with: ${printable(mergeCommand, WHOLE)}`]),
];
