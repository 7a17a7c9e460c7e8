import type { AuditRow } from '@atelier/store-sqlite';
import { taskGapId } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { runNamed } from '../compose/unfinished.ts';
import { CHAT_NAME } from './chat-names.ts';
import { teamsOfProject } from './teams-of-project.ts';

/** A row of the ledger, and the run whose team it is of. */
export interface BookedRow extends AuditRow {
  readonly runId: string;
}

interface Booked {
  readonly run: string | undefined;
  /** Its key. */
  readonly task: string | undefined;
  readonly eventType: string | undefined;
}

/** What the ledgers of a project's teams have, oldest first; names in a chat only by their type. Throws `NO_SUCH_RUN`. */
export function bookedRows(
  project: Pick<Project, 'store' | 'repository'>,
  { run, task, eventType }: Booked,
): readonly BookedRow[] {
  const teams = teamsOfProject(project).filter(({ runId }) => run === undefined || runId === run);
  // One that has no team has no rows; one that nobody knows is a mistake.
  if (teams.length === 0 && run !== undefined) runNamed(project.store, run);
  const isOf = ({ payload, eventType: type }: AuditRow) =>
    (eventType !== undefined || type !== CHAT_NAME) &&
    (task === undefined || payload['gap_id'] === taskGapId(task) || payload['task_id'] === task);
  return teams
    .flatMap(({ teamId, runId }) =>
      project.store.team.ledger
        .list({ teamId, ...(eventType === undefined ? {} : { eventType }) })
        .filter(isOf)
        .map((row) => ({ ...row, runId })),
    )
    .sort((one, other) => one.id - other.id);
}
