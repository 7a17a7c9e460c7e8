import { closestName } from '@atelier/engine/plan';
import { type Command, UsageError } from '../command.ts';
import { worktreesGc } from './worktrees-gc.ts';
import { worktreesList } from './worktrees-list.ts';

const SUBCOMMANDS: ReadonlyMap<string, Command['run']> = new Map([
  ['list', worktreesList],
  ['gc', worktreesGc],
]);

const HELP = `Usage: atelier worktrees list|gc [options]

A run removes its worktrees when their work is saved; these are those that were left, by a killed host say.

  list  what there is, and how large it is
  gc    remove it, saving first what is not saved

atelier worktrees list --help shows the options of list, and so on.
`;

/** `atelier worktrees`: what runs left outside the clone. */
export const worktrees: Command = {
  summary: 'list and remove worktrees that runs left',
  async run([name = '', ...rest], streams, environment) {
    if (name === '--help' || name === '-h') {
      streams.stdout.write(HELP);
      return 0;
    }
    const subcommand = SUBCOMMANDS.get(name);
    if (subcommand) return subcommand(rest, streams, environment);
    const meant = closestName(name, [...SUBCOMMANDS.keys()]);
    throw new UsageError(
      name === '' ? 'worktrees needs list or gc' : `worktrees has no "${name}"`,
      meant === undefined ? 'See atelier worktrees --help.' : `Did you mean ${meant}?`,
    );
  },
};
