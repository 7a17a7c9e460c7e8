import { printable } from '@atelier/envelope';
import { type Admitted, admitPersona } from '@atelier/team-behaviors';
import type { Command } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import { everyProposal, findProposal, isSuperseded } from '../team/find-proposal.ts';
import { openRoster, workersOf } from '../team/roster.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier roster admit PROPOSAL [--run RUN] [--repo DIR]

Lets a persona into the roster of this repository, in the words that a person agreed to with atelier roster ack. From
then on plans may name it.
`;

type Refusal = Extract<Admitted, { kind: 'refused' }>['why'];

const WHY: Readonly<Record<Refusal, readonly [message: string, fix: string]>> = {
  'no-proposal': ['its ledger has no such proposal', 'See atelier roster proposals.'],
  superseded: [
    'the same persona was proposed again since',
    'Decide on the last proposal: see atelier roster proposals.',
  ],
  'no-consent': [
    'no person has agreed to exactly these words',
    'A person reads and agrees with atelier roster ack.',
  ],
  declined: ['a person refused it', 'The last decision counts; atelier roster ack makes another.'],
  taken: [
    'its id is in the roster already, or could be taken for one that is',
    'Propose it under another id.',
  ],
};

export const admit: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseTeamArguments(args, {
    ...{ command: 'roster admit', takes: ['PROPOSAL'], texts: ['run'] },
  });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  return withProject(given, environment, async (project) => {
    const number = given.given('PROPOSAL');
    const found = findProposal(project, { number, run: given.text('run') });
    if (isSuperseded(found, everyProposal(project, undefined)))
      throw notAdmitted(number, 'superseded');
    const { teamId } = found.team;
    const { team } = project.store;
    const admitted = admitPersona({
      ...{ ledger: team.ledger, approved: team.roster, teamId },
      proposalId: found.proposal.proposalId,
      workers: workersOf(team, teamId),
      taken: (await openRoster(environment.configFile)).ids,
    });
    if (admitted.kind === 'refused') throw notAdmitted(number, admitted.why);
    stdout.write(`${printable(admitted.persona.id)} is in the roster of this repository.\n`);
    return 0;
  });
};

function notAdmitted(number: string, why: Refusal): HostError {
  const [message, fix] = WHY[why];
  return new HostError('NOT_ADMITTED', `proposal ${number} was not let in: ${message}`, fix);
}
