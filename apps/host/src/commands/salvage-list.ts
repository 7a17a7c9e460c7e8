import { jsonLine, renderSalvageList } from '@atelier/reporters';
import { listSalvage } from '@atelier/worktrees';
import { type Command, UsageError } from '../command.ts';
import { parseSalvageArguments } from './salvage-arguments.ts';
import { openClone } from './salvage-clone.ts';

const HELP = `Usage: atelier salvage list [--run RUN] [--json] [--repo DIR]

Lists the saved work of every attempt, newest first. A state of "merged" means that it is on the branch of its
run; "after" is what was found beside the work when its worktree was removed.

  --run RUN   only that run
  --json      one JSON object a line
  --repo DIR  a folder of the clone; the current one when absent
`;

export const salvageList: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseSalvageArguments('list', args, ['json']);
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  if (given.positionals.length > 0)
    throw new UsageError('salvage list takes no name', 'See atelier salvage show TASK.');
  const all = await listSalvage(await openClone(given.repo, environment));
  const asked = all.filter(({ run }) => given.run === undefined || run === given.run);
  if (given.json) for (const item of asked) stdout.write(jsonLine({ version: 1, ...item }));
  else
    stdout.write(
      renderSalvageList(asked, stdout.columns === undefined ? {} : { width: stdout.columns }),
    );
  return 0;
};
