import type { Team } from '@atelier/store-sqlite';
import type { Project } from '../compose/project.ts';
import { runNamed } from '../compose/unfinished.ts';
import { HostError } from '../host-error.ts';
import { onlyReads } from '../planner/only-reads.ts';
import { nextTeam, teamOfRun } from './current-team.ts';

type Home = Pick<Project, 'store' | 'repository'>;

/** The teams of a project, oldest first: all of its store, which no other project shares. */
export const teamsOfProject = ({ store }: Pick<Project, 'store'>): readonly Team[] =>
  store.team.teams.list();

/** The team of the run that is named, or the one that waits for its run. Throws `NO_SUCH_RUN`, or `NO_TEAM`. */
export function teamToWrite(project: Home, run: string | undefined): Team {
  if (run === undefined) return nextTeam(project);
  return project.store.team.teams.ofRun(run) ?? teamOfRun(project, workOf(project, run));
}

/** The team of the run that is named, or else of the latest that has one. Throws `NO_SUCH_RUN`, or `NO_TEAM`. */
export const teamOfLatest = (project: Home, run: string | undefined): Team =>
  teamToWrite(project, run ?? workOf(project, undefined));

/** A turn of a meeting and an attempt at a plan are runs by their names alone: nobody is in a team of theirs. */
function workOf({ store }: Home, run: string | undefined): string {
  const { run_id: runId } = runNamed(store, run);
  if (!onlyReads(runId)) return runId;
  throw new HostError(
    'NO_TEAM',
    run === undefined
      ? 'no run of this repository has a team yet'
      : `${runId} only looked at the repository, and has no team`,
    'Name a run of work, as atelier status --all lists it, or the run that a team waits for.',
  );
}
