import type { Command } from '../command.ts';
import { commandGroup } from './command-group.ts';
import { salvageList } from './salvage-list.ts';
import { salvageRestore } from './salvage-restore.ts';
import { salvageShow } from './salvage-show.ts';

const HELP = `Usage: atelier salvage list|show|restore [options]

What every attempt left is saved on a ref of the clone, however the attempt ended.

  list     the saved work of all runs
  show     what one attempt changed
  restore  saved work as a new branch or a new folder

atelier salvage list --help shows the options of list, and so on.
`;

/** `atelier salvage`: the saved work of attempts. It needs no journal, and never moves what is there. */
export const salvage: Command = commandGroup({
  name: 'salvage',
  help: HELP,
  commands: { list: salvageList, show: salvageShow, restore: salvageRestore },
});
