import type { Store, Team } from '@atelier/store-sqlite';
import type { Project } from '../compose/project.ts';
import { newRunId } from '../compose/run-id.ts';

/** The role that speaks for the host. */
export const LEAD = 'team-lead';

/** A team whose run has not started: it met, or somebody was proposed for it. The next run is its run. */
export function waitingTeam({ team, runs }: Pick<Store, 'team' | 'runs'>): Team | undefined {
  const begun = new Set(runs().map(({ run_id }) => run_id));
  return team.teams
    .list()
    .findLast(({ runId, status }) => status === 'active' && !begun.has(runId));
}

/** The team that waits for its run, made if there is none. */
export const nextTeam = (project: Pick<Project, 'store' | 'repository'>): Team =>
  waitingTeam(project.store) ?? teamOfRun(project, newRunId());

/** The team of a run, registered if it is not: nothing can be written to a ledger before. */
export function teamOfRun(
  { store, repository }: Pick<Project, 'store' | 'repository'>,
  runId: string,
): Team {
  const { teams } = store.team;
  return (
    teams.ofRun(runId) ??
    teams.create({ teamId: runId, runId, project: repository.id, leadRole: LEAD })
  );
}
