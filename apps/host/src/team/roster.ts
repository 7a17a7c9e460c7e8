import type { TeamStore } from '@atelier/store-sqlite';
import {
  CORE_PERSONAS,
  dispatchablePersonas,
  type Persona,
  type Roster,
  rosterOf,
} from '@atelier/team-behaviors';
import { ownPersonas } from './own-personas.ts';

/**
 * Everybody who can be given a task: the personas that come with the product, the user's own, and those that a person let
 * in for this repository, if there is one. Throws `ROSTER_INVALID` with every defect of the user's own.
 */
export async function openRoster(configFile: string, team?: TeamStore): Promise<Roster> {
  const given = rosterOf([...CORE_PERSONAS, ...(await ownPersonas(configFile))]);
  return rosterOf([...given.personas, ...(team ? approvedBeside(given, team) : [])]);
}

/** A user's own persona takes the place of an approved one that it could be taken for: it came later. */
const approvedBeside = (given: Roster, team: TeamStore): readonly Persona[] =>
  dispatchablePersonas({
    ledger: team.ledger,
    approved: team.roster,
    workersOf: (teamId) => workersOf(team, teamId),
  }).filter(({ id }) => !isTakenFor(id, given.ids));

/** A chat adds a number to a name that was used before. */
const isTakenFor = (id: string, ids: ReadonlySet<string>): boolean =>
  [id, id.replace(/-[2-4]$/u, ''), `${id}-2`, `${id}-3`, `${id}-4`].some((one) => ids.has(one));

/** Every role of a team but its lead. */
export const workersOf = ({ teams }: TeamStore, teamId: string): readonly string[] => {
  const lead = teams.get(teamId)?.leadRole;
  return teams
    .members(teamId)
    .map(({ roleId }) => roleId)
    .filter((role) => role !== lead);
};
