import { jsonLine, renderWorktrees } from '@atelier/reporters';
import type { Command } from '../command.ts';
import { withProject } from '../compose/with-project.ts';
import { parseWorktreesArguments } from './worktrees-arguments.ts';
import { allWorktrees, homesOf } from './worktrees-homes.ts';

const HELP = `Usage: atelier worktrees list [--json] [--repo DIR] [--state-dir DIR]

Lists the worktrees that runs of the repository left, oldest use first. Nothing in them is changed, so runs may
be at work.

  --json           one JSON object a line
  --repo DIR       a folder of the clone; the current one when absent
  --state-dir DIR  look there in place of the usual folder; where runs recorded another one is looked at, too
`;

export const worktreesList: Command['run'] = async (args, { stdout }, environment) => {
  const given = parseWorktreesArguments('list', args, []);
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  return withProject(given, environment, async (project) => {
    const left = allWorktrees(await homesOf(project));
    if (given.json) for (const one of left) stdout.write(jsonLine({ version: 1, ...one }));
    else stdout.write(renderWorktrees(left));
    return 0;
  });
};
