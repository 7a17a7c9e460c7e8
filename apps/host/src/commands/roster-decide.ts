import { printable } from '@atelier/envelope';
import { consentDesk, type Proposal } from '@atelier/team-behaviors';
import { type Command, UsageError } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { HostError } from '../host-error.ts';
import type { Streams } from '../streams.ts';
import { everyProposal, findProposal, isSuperseded } from '../team/find-proposal.ts';
import { operatorName } from '../team/operator.ts';
import { workersOf } from '../team/roster.ts';
import { visibleLines } from '../visible-lines.ts';
import { parseTeamArguments } from './team-arguments.ts';

interface Deciding {
  readonly name: 'ack' | 'refuse';
  readonly says: string;
  readonly said: string;
}

/**
 * A decision of the person at the terminal on exactly what is shown. Who it is comes from the system and from no option;
 * the proposal's own words, whatever they claim, decide nothing.
 */
const deciding =
  ({ name, says, said }: Deciding): Command['run'] =>
  async (args, streams, environment) => {
    const given = parseTeamArguments(args, {
      ...{ command: `roster ${name}`, takes: ['PROPOSAL'], texts: ['hash', 'run'] },
    });
    if (given.help) {
      streams.stdout.write(helpOf(name, says));
      return 0;
    }
    return withProject(given, environment, async (project) => {
      const number = given.given('PROPOSAL');
      const found = findProposal(project, { number, run: given.text('run') });
      // A refusal is taken of any: what is in can always be taken out.
      if (name === 'ack' && isSuperseded(found, everyProposal(project, undefined)))
        throw superseded(number);
      const { team, proposal } = found;
      streams.stdout.write(shown(proposal));
      const ask = environment.ci ? undefined : streams.ask;
      const sha256 = given.text('hash') ?? (await hashByWord({ name, proposal, ask }));
      const desk = consentDesk({
        ...{ ledger: project.store.team.ledger, teamId: team.teamId, operator: operatorName() },
        workers: workersOf(project.store.team, team.teamId),
      });
      desk.decide({ proposalId: proposal.proposalId, sha256, acked: name === 'ack' });
      streams.stdout.write(`${printable(operatorName())} ${said} proposal ${number}.\n`);
      if (name === 'ack') streams.stdout.write(`Let it in: atelier roster admit ${number}.\n`);
      return 0;
    });
  };

export const ack: Command['run'] = deciding({
  ...{ name: 'ack', says: 'agrees to', said: 'agreed to' },
});

export const refuse: Command['run'] = deciding({
  ...{ name: 'refuse', says: 'refuses', said: 'refused' },
});

const superseded = (number: string): HostError =>
  new HostError(
    'CONSENT_SUPERSEDED',
    `the persona of proposal ${number} was proposed again since, perhaps in other words`,
    'Nothing was recorded. Read the last proposal and decide on that one: atelier roster proposals.',
  );

const helpOf = (
  name: string,
  says: string,
): string => `Usage: atelier roster ${name} PROPOSAL [--hash HASH] [--run RUN] [--repo DIR]

Shows a proposal and records that the user of this machine ${says} it. Who proposed it, who works in its team and the
persona itself can not decide. The last decision counts.

  --hash HASH  of the proposal that was read; needed where nobody can be asked
  --run RUN    of the team of that run alone
`;

/** The rationale is no part of what is agreed to, and no line of it can look as if it were one of ours. */
const shown = ({ proposalId, roleName, by, sha256, roleDescription, rationale }: Proposal) =>
  `Proposal ${proposalId}: ${printable(roleName, 64)}, by ${printable(by, 200)}
Hash: ${sha256}
Its workers would be told:
${visibleLines(roleDescription, '  | ')}Why, in the words of who proposes it:
${visibleLines(rationale, '  > ')}`;

async function hashByWord({
  name,
  proposal: { sha256, roleName },
  ask,
}: {
  readonly name: Deciding['name'];
  readonly proposal: Proposal;
  readonly ask: Streams['ask'];
}): Promise<string> {
  if (!ask)
    throw new UsageError(
      `roster ${name} needs --hash where nobody can be asked`,
      'Read the proposal, then give its hash: it says what was read.',
    );
  const question =
    name === 'ack' ? `Let ${printable(roleName, 64)} be one of the roster?` : 'Refuse it?';
  const answer = await ask(`${question} Type yes: `);
  if (answer.trim().toLowerCase() === 'yes') return sha256;
  throw new HostError('NOT_DECIDED', 'the answer was not yes', 'Nothing was recorded.');
}
