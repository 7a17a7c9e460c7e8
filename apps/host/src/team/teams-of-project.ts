import type { Team } from '@atelier/store-sqlite';
import type { Project } from '../compose/project.ts';
import { runNamed } from '../compose/unfinished.ts';
import { nextTeam, teamOfRun } from './current-team.ts';

type Home = Pick<Project, 'store' | 'repository'>;

/** The teams of a project, oldest first. */
export const teamsOfProject = ({ store, repository }: Home): readonly Team[] =>
  store.team.teams.list().filter(({ project }) => project === repository.id);

/** The team of the run that is named, or the one that waits for its run. Throws `NO_SUCH_RUN`. */
export function teamToWrite(project: Home, run: string | undefined): Team {
  if (run === undefined) return nextTeam(project);
  return project.store.team.teams.ofRun(run) ?? teamOfRun(project, runIdOf(project, run));
}

/** The team of the run that is named, or else of the latest. Throws `NO_SUCH_RUN`. */
export const teamOfLatest = (project: Home, run: string | undefined): Team =>
  teamToWrite(project, run ?? runIdOf(project, undefined));

const runIdOf = ({ store }: Home, run: string | undefined): string => runNamed(store, run).run_id;
