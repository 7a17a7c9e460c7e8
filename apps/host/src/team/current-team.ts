import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Team } from '@atelier/store-sqlite';
import { runBranch } from '@atelier/worktrees';
import type { Project } from '../compose/project.ts';
import { newRunId } from '../compose/run-id.ts';

/** The role that speaks for the host. */
export const LEAD = 'team-lead';

/**
 * A team whose run has not started: it met, or somebody was proposed for it. The next run is its run, unless a host was
 * killed while it made the branch of that run: then folder and branch are of that moment, and the team waits for nothing.
 */
export function waitingTeam({
  store,
  repository,
}: Pick<Project, 'store' | 'repository'>): Team | undefined {
  const begun = new Set(store.runs().map(({ run_id }) => run_id));
  return store.team.teams
    .list()
    .findLast(
      ({ runId, status, project }) =>
        status === 'active' &&
        project === repository.id &&
        !begun.has(runId) &&
        !existsSync(join(repository.commonDir, runBranch(runId))),
    );
}

/** The team that waits for its run, made if there is none. */
export const nextTeam = (project: Pick<Project, 'store' | 'repository'>): Team =>
  waitingTeam(project) ?? teamOfRun(project, newRunId());

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
