import { printable } from '@atelier/envelope';
import { jsonLine } from '@atelier/reporters';
import { proposeRole, standingConsent } from '@atelier/team-behaviors';
import type { Command } from '../command.ts';
import type { Project } from '../compose/project.ts';
import { withProject } from '../compose/with-project.ts';
import { readGivenText } from '../read-given-text.ts';
import { everyProposal, isSuperseded, type ProposalOfTeam } from '../team/find-proposal.ts';
import { openRoster, workersOf } from '../team/roster.ts';
import { teamToWrite } from '../team/teams-of-project.ts';
import { parseTeamArguments } from './team-arguments.ts';

const PROPOSE = `Usage: atelier roster propose ID --description FILE --rationale TEXT --by NAME [options]

Records that somebody wants a persona that the roster lacks. Nothing follows from it: a person who is not NAME has to
agree, with atelier roster ack.

  --description FILE  what its workers would be told; - for the standard input
  --rationale TEXT    why it is wanted; no part of what is agreed to
  --by NAME           who proposes it
  --run RUN           for the team of that run; the next one when absent
  --repo DIR          a folder of the clone
`;

const PROPOSALS = `Usage: atelier roster proposals [--run RUN] [--json] [--repo DIR]

What was proposed, oldest first: number, id, who proposed it, and whether a person agreed.
`;

export const propose: Command['run'] = async (args, { stdout }, environment) => {
  const needs = ['description', 'rationale', 'by'];
  const given = parseTeamArguments(args, {
    ...{ command: 'roster propose', takes: ['ID'], texts: [...needs, 'run'], needs },
  });
  if (given.help) {
    stdout.write(PROPOSE);
    return 0;
  }
  const roleDescription = await readGivenText({
    ...{ option: 'description', file: given.given('description'), cwd: environment.cwd },
  });
  return withProject(given, environment, async (project) => {
    const { team } = project.store;
    const { ids: taken } = await openRoster(environment.configFile, team);
    const proposal = proposeRole({
      ...{ ledger: team.ledger, teamId: teamToWrite(project, given.text('run')).teamId, taken },
      ...{ roleName: given.given('ID'), roleDescription },
      ...{ rationale: given.given('rationale'), by: given.given('by') },
    });
    const { proposalId, sha256 } = proposal;
    stdout.write(
      `Proposal ${proposalId} is recorded, with the hash ${sha256}. A person agrees to it: atelier roster ack ${proposalId}.\n`,
    );
    return 0;
  });
};

export const proposals: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'roster proposals', texts: ['run'], flags: ['json'] },
  });
  if (given.help) {
    stdout.write(PROPOSALS);
    return 0;
  }
  return withProject(given, environment, async (project) => {
    const all = everyProposal(project, undefined);
    for (const one of everyProposal(project, given.text('run'))) {
      const { proposalId: id, roleName, by, sha256 } = one.proposal;
      const state = stateOf(project, one, all);
      const { runId } = one.team;
      stdout.write(
        given.flag('json')
          ? jsonLine({ version: 1, id, persona: roleName, by, sha256, runId, state })
          : `${String(id).padEnd(5)} ${printable(roleName, 64).padEnd(24)} by ${printable(by, 40)}: ${state} (run ${printable(runId)})\n`,
      );
    }
    return 0;
  });
};

function stateOf(project: Project, one: ProposalOfTeam, all: readonly ProposalOfTeam[]): string {
  const { ledger, roster } = project.store.team;
  const {
    team: { teamId },
    proposal,
  } = one;
  const workers = workersOf(project.store.team, teamId);
  const consent = standingConsent(ledger, { teamId, proposal, workers });
  if (consent?.acked === false) return 'refused';
  const last = roster.list().findLast(({ id }) => id === proposal.roleName);
  if (consent && last?.proposalId === proposal.proposalId) return 'admitted';
  if (isSuperseded(one, all)) return 'superseded';
  return consent ? 'agreed to' : 'open';
}
