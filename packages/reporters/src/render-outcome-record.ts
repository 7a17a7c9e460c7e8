import type { Escalation } from '@atelier/engine';
import { markdownText as text } from '@atelier/envelope';
import { count } from './count.ts';
import type { OutcomeRecord, TaskRecord } from './outcome-record.ts';
import { costText } from './render-cost.ts';

/** Tasks and escalations that are listed before they are only counted. */
const LISTED = 500;

/** A record as Markdown for a pull request or the minutes of a cycle. Every text in it is foreign and shown as it is. */
export function renderOutcomeRecord(record: OutcomeRecord): string {
  const sections = [
    heading(record),
    outcomes(record.tasks),
    escalations(record.escalations),
    meeting(record),
    aside(record),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function heading({
  runId,
  goal,
  verdict,
  tasks,
  dispatches,
  branch,
  endedAt,
  runMode,
}: OutcomeRecord): string[] {
  const done = tasks.filter(({ kind }) => kind === 'done').length;
  return [
    `## ${text(goal, 200)}`,
    '',
    `Run ${text(runId)}, ${text(verdict)} on ${text(endedAt)}: ${done} of ${count(tasks.length, 'task', 'tasks')} done, ${count(dispatches, 'attempt', 'attempts')} charged, run mode ${text(runMode)}. The work is on ${text(branch, 4096)}.`,
  ];
}

function outcomes(tasks: readonly TaskRecord[]): string[] {
  if (tasks.length === 0) return [];
  const rest = tasks.length - LISTED;
  return [
    '| wave | task | by | outcome | attempts | |',
    '| ---: | --- | --- | --- | ---: | --- |',
    ...tasks.slice(0, LISTED).map(row),
    ...(rest > 0 ? ['', `${count(rest, 'more task', 'more tasks')}.`] : []),
  ];
}

function row(task: TaskRecord): string {
  const { taskId, title, wave, persona, kind, category, upstreamTaskId, attempts } = task;
  const name = title === null ? text(taskId) : `${text(taskId)}: ${text(title, 120)}`;
  const by = upstreamTaskId === undefined ? '' : ` by ${text(upstreamTaskId)}`;
  const outcome = `${kind}${category === undefined ? '' : ` (${text(category)}${by})`}`;
  return `| ${wave} | ${name} | ${persona === null ? '' : text(persona)} | ${outcome} | ${attempts} | ${detail(task)} |`;
}

function detail({ reason, notesFirstLine, changes }: TaskRecord): string {
  const size = changes
    ? `+${changes.insertions} −${changes.deletions} in ${count(changes.files, 'file', 'files')}`
    : '';
  return [size, text(reason ?? notesFirstLine ?? '', 200)].filter((part) => part !== '').join(': ');
}

function escalations(all: readonly Escalation[]): string[] {
  if (all.length === 0) return [];
  const rest = all.length - LISTED;
  return [
    '### Escalated',
    '',
    ...all
      .slice(0, LISTED)
      .map(
        ({ task_id, category, last_status }) =>
          `- ${text(task_id)}: ${text(category)}, ${text(last_status)}`,
      ),
    ...(rest > 0 ? [`- ${rest} more`] : []),
  ];
}

function meeting({ meeting: held }: OutcomeRecord): string[] {
  if (!held) return [];
  return [
    `### Meeting before the run${held.partial ? ' (partial)' : ''}`,
    '',
    text(held.summary, 2_000),
    ...held.decisions.map((point) => `- decided: ${text(point, 500)}`),
    ...held.openPoints.map((point) => `- open: ${text(point, 500)}`),
  ];
}

function aside({ phase, bypasses, meetingCost }: OutcomeRecord): string[] {
  return [
    ...(meetingCost
      ? [
          `The meeting took ${count(meetingCost.attempts, 'attempt', 'attempts')}: ${meetingCost.outputTokens} output tokens, ${costText(meetingCost)}.`,
        ]
      : []),
    ...(phase ? [`Phase: ${text(phase.before)} → ${text(phase.after)} (${text(phase.why)}).`] : []),
    ...bypasses.map(
      ({ skill, agent, reason }) =>
        `Gate of ${text(skill)} bypassed by ${text(agent)}: ${text(reason, 500)}.`,
    ),
  ];
}
