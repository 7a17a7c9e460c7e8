import { printable } from '@atelier/envelope';
import type { AuditRow } from '@atelier/store-sqlite';
import { AUDIT_EVENTS, answerGap, taskGapId } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { HostError } from '../host-error.ts';
import { operatorName } from './operator.ts';

/** A task of a run. */
export interface TaskOfRun {
  readonly runId: string;
  readonly task: string;
}

/** Whether the ledger of the run's team tells that this task was escalated: only then can it be answered. */
export function isEscalated(
  { store }: Pick<Project, 'store'>,
  { runId, task }: TaskOfRun,
): boolean {
  const { teams, ledger } = store.team;
  const team = teams.ofRun(runId);
  if (!team) return false;
  return ledger
    .list({ teamId: team.teamId, eventType: AUDIT_EVENTS.gap })
    .some(({ payload }) => payload['gap_id'] === taskGapId(task));
}

/** What is only for a task that was escalated, of one that was not. `besides` is for the command alone. */
export const notEscalated = ({ runId, task }: TaskOfRun, besides: string): HostError =>
  new HostError(
    'GAP_UNKNOWN',
    `the ledger of run ${printable(runId)} has no escalation of task ${printable(task)}`,
    `Nothing was noted. Name the run with --run; atelier audit list --type ${AUDIT_EVENTS.gap} shows what there is. ${besides}`,
  );

/** Books the answer of the person at the terminal to an escalated task. Throws `GAP_UNKNOWN`. */
export function answerTask(
  how: 'ack' | 'retry',
  { store }: Pick<Project, 'store'>,
  { runId, task, answer }: TaskOfRun & { readonly answer: string | undefined },
): AuditRow {
  return answerGap(how, {
    ledger: store.team.ledger,
    teamId: store.team.teams.ofRun(runId)?.teamId ?? runId,
    gapId: taskGapId(task),
    by: operatorName(),
    ...(answer === undefined ? {} : { note: answer }),
  }) as AuditRow;
}
