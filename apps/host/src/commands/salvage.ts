import { closestName } from '@atelier/engine/plan';
import { type Command, UsageError } from '../command.ts';
import { salvageList } from './salvage-list.ts';
import { salvageRestore } from './salvage-restore.ts';
import { salvageShow } from './salvage-show.ts';

const SUBCOMMANDS: ReadonlyMap<string, Command['run']> = new Map([
  ['list', salvageList],
  ['show', salvageShow],
  ['restore', salvageRestore],
]);

const HELP = `Usage: atelier salvage list|show|restore [options]

What every attempt left is saved on a ref of the clone, however the attempt ended.

  list     the saved work of all runs
  show     what one attempt changed
  restore  saved work as a new branch or a new folder

atelier salvage list --help shows the options of list, and so on.
`;

/** `atelier salvage`: the saved work of attempts. It needs no journal, and never moves what is there. */
export const salvage: Command = {
  summary: 'list, show and give back saved work',
  async run([name = '', ...rest], streams, environment) {
    if (name === '--help' || name === '-h') {
      streams.stdout.write(HELP);
      return 0;
    }
    const subcommand = SUBCOMMANDS.get(name);
    if (subcommand) return subcommand(rest, streams, environment);
    const meant = closestName(name, [...SUBCOMMANDS.keys()]);
    throw new UsageError(
      name === '' ? 'salvage needs list, show or restore' : `salvage has no "${name}"`,
      meant === undefined ? 'See atelier salvage --help.' : `Did you mean ${meant}?`,
    );
  },
};
