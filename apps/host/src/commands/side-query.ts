import { printable } from '@atelier/envelope';
import { recordSideQuery } from '@atelier/team-behaviors';
import { type Command, UsageError } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { readGivenText } from '../read-given-text.ts';
import { keepSideQuery } from '../team/keep-side-query.ts';
import { teamOfLatest } from '../team/teams-of-project.ts';
import { commandGroup } from './command-group.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier side-query record --worker ROLE --prompt FILE --response FILE [options]

Records what a person asked a worker directly and what it said, before anything goes on. Nothing else changes, whatever
the texts ask for. A copy for people is written to the folder of the run, if it can be.

  --worker ROLE    who was asked
  --prompt FILE    the question; - for the standard input
  --response FILE  the answer; - for the standard input
  --run RUN        the run; the latest when absent
  --repo DIR       a folder of the clone
  --state-dir DIR  where the copy goes, if not to where the run keeps its state
`;

const record: Command['run'] = async (args, { stdout, stderr }, environment) => {
  const needs = ['worker', 'prompt', 'response'];
  const given = parseTeamArguments(args, {
    ...{ command: 'side-query record', texts: [...needs, 'run'], needs },
  });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  const files = { prompt: given.given('prompt'), response: given.given('response') };
  if (files.prompt === '-' && files.response === '-')
    throw new UsageError(
      'side-query record can not read both texts from the standard input',
      'Name a file for one of them.',
    );
  const read = (option: keyof typeof files) =>
    readGivenText({ option, file: files[option], cwd: environment.cwd });
  const texts = { prompt: await read('prompt'), response: await read('response') };
  return withProject(given, environment, async (project) => {
    const { teamId, runId } = teamOfLatest(project, given.text('run'));
    const stateHome = given.stateDir === undefined ? undefined : project.stateHome;
    let copy = '';
    const { audit, mirrored } = recordSideQuery({
      ...{ ledger: project.store.team.ledger, teamId, workerRoleId: given.given('worker') },
      ...texts,
      mirror: async (document) => {
        copy = await keepSideQuery(project, { runId, stateHome }, document);
      },
    });
    stdout.write(`Row ${audit.id} of the ledger has it, for run ${printable(runId)}.\n`);
    const end = await mirrored;
    if (end.kind === 'failed') stderr.write(`No copy was made of it: ${end.error}\n`);
    else stdout.write(`A copy for people: ${printable(copy, 1000)}\n`);
    return 0;
  });
};

/** `atelier side-query`: what a person asked a worker past its lead, for the record alone. */
export const sideQuery: Command = commandGroup({
  name: 'side-query',
  help: HELP,
  commands: { record },
});
