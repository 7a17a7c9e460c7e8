import type { Command } from '../command.ts';
import { commandGroup } from './command-group.ts';
import { admit } from './roster-admit.ts';
import { ack, refuse } from './roster-decide.ts';
import { list, show } from './roster-list.ts';
import { proposals, propose } from './roster-propose.ts';

const HELP = `Usage: atelier roster list|show|propose|proposals|ack|refuse|admit [options]

Who can be given a task. A new persona comes in behind a person's consent to exactly the words that were proposed.

  list       the personas, and where each comes from
  show       one of them, whole
  propose    a new one; nothing follows from it
  proposals  what was proposed, and what became of it
  ack        a person agrees to a proposal
  refuse     a person does not; the last decision counts
  admit      lets in what was agreed to

atelier roster propose --help shows the options of propose, and so on. Personas of your own are JSON files in the folder
personas beside your config.
`;

/** `atelier roster`: the personas of a repository, and the way in for a new one. */
export const roster: Command = commandGroup({
  name: 'roster',
  help: HELP,
  commands: { list, show, propose, proposals, ack, refuse, admit },
});
