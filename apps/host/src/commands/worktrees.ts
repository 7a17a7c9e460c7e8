import type { Command } from '../command.ts';
import { commandGroup } from './command-group.ts';
import { worktreesGc } from './worktrees-gc.ts';
import { worktreesList } from './worktrees-list.ts';

const HELP = `Usage: atelier worktrees list|gc [options]

A run removes its worktrees when their work is saved; these are those that were left, by a killed host say.

  list  what there is, and how large it is
  gc    remove it, saving first what is not saved

atelier worktrees list --help shows the options of list, and so on.
`;

/** `atelier worktrees`: what runs left outside the clone. */
export const worktrees: Command = commandGroup({
  name: 'worktrees',
  help: HELP,
  commands: { list: worktreesList, gc: worktreesGc },
});
