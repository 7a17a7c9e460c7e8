import { isClosed, type Task } from '@atelier/engine';
import type { Team } from '@atelier/store-sqlite';
import { GENERIC_WORKER, type Persona, type Roster } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { version } from '../version.ts';
import { LEAD, teamOfRun } from './current-team.ts';
import { roleOf } from './role-of.ts';

/** A run's team, before anything is told to anybody. */
export interface RegisteredTeam extends Team {
  /** The roles of its workers, each once, in the order of their first task. */
  readonly roles: readonly string[];
}

/** The host itself. */
const HOST: Persona = {
  id: LEAD,
  name: 'Team lead',
  role: 'Team lead',
  profile:
    'The host: it gives out the tasks, checks and merges what comes back, and talks to people.',
};

/**
 * Registers the team of a run, its lead and everyone who has a task in it, each with a copy of what they are told to be.
 * The same again changes nothing. Whom
 * nobody knows any more is passed over: a run that goes on tells so where it matters, in the attempts of their tasks.
 */
export function registerTeam(
  project: Pick<Project, 'store' | 'repository'>,
  {
    runId,
    tasks,
    roster,
  }: { readonly runId: string; readonly tasks: readonly Task[]; readonly roster: Roster },
): RegisteredTeam {
  const firstWave = new Map<Persona, number>();
  for (const task of tasks.filter((task) => !isClosed(task))) {
    const persona = personaIn(roster, roleOf(task));
    if (!persona) continue;
    const wave = Number(task.parallel_group ?? 0);
    firstWave.set(persona, Math.min(firstWave.get(persona) ?? wave, wave));
  }
  const team = teamOfRun(project, runId);
  const join = ({ id, name, profile }: Persona, wave: number) =>
    project.store.team.teams.addMember({
      ...{ teamId: team.teamId, roleId: id, memberName: name, wave },
      persona: { version: version(), text: profile },
    });
  join(HOST, 0);
  for (const [persona, wave] of firstWave) join(persona, wave);
  return { ...team, roles: [...firstWave.keys()].map(({ id }) => id) };
}

const personaIn = (roster: Roster, role: string): Persona | undefined =>
  role === GENERIC_WORKER.id ? GENERIC_WORKER : roster.get(role);
