import type { Team } from '@atelier/store-sqlite';
import { runBranch } from '@atelier/worktrees';
import type { Project } from '../compose/project.ts';
import { newRunId } from '../compose/run-id.ts';
import { branchAt } from './branch-at.ts';
import { projectName } from './project-name.ts';

/** The role that speaks for the host. */
export const LEAD = 'team-lead';

/**
 * A team whose run has not started: it met, or somebody was proposed for it. The next run is its run, also where a host
 * was killed while it set that run up. Once HEAD has moved since, folder and branch are of that moment: then the team
 * waits for nothing.
 */
export function waitingTeam({
  store,
  repository,
}: Pick<Project, 'store' | 'repository'>): Team | undefined {
  const begun = new Set(store.runs().map(({ run_id }) => run_id));
  const isOfHead = (runId: string) =>
    [undefined, repository.head].includes(branchAt(repository.commonDir, runBranch(runId)));
  return store.team.teams
    .list()
    .findLast(({ runId, status }) => status === 'active' && !begun.has(runId) && isOfHead(runId));
}

/**
 * Lets whoever waits for its run go that has met or has begun to: the next run is not theirs. What they said stays, and so
 * does what was proposed for them. For whoever holds the project. Gives back the teams that it has let go.
 */
export function closeTeamsThatMet(project: Pick<Project, 'store' | 'repository'>): readonly Team[] {
  const closed: Team[] = [];
  for (
    let waiting = waitingTeam(project);
    waiting && hasMet(project, waiting);
    waiting = waitingTeam(project)
  ) {
    project.store.team.teams.setStatus(waiting.teamId, 'closed');
    closed.push(waiting);
  }
  return closed;
}

/** Whether anything was said in a meeting of the team. */
export const hasMet = (
  { store: { team } }: Pick<Project, 'store'>,
  { teamId }: Pick<Team, 'teamId'>,
): boolean =>
  (['team_meeting', 'meeting_done'] as const).some(
    (mtype) => team.wire.messages({ teamId, mtype }).length > 0,
  );

/** The team that waits for its run, made if there is none. */
export const nextTeam = (project: Pick<Project, 'store' | 'repository'>): Team =>
  waitingTeam(project) ?? teamOfRun(project, newRunId());

/** The team of a run, registered if it is not: nothing can be written to a ledger before. */
export function teamOfRun(home: Pick<Project, 'store' | 'repository'>, runId: string): Team {
  const { teams } = home.store.team;
  return (
    teams.ofRun(runId) ??
    teams.create({ teamId: runId, runId, project: projectName(home), leadRole: LEAD })
  );
}
