import type { Command } from '../command.ts';
import { commandGroup } from './command-group.ts';
import { advance, force } from './phase-move.ts';
import { get, history, transitions } from './phase-read.ts';

const HELP = `Usage: atelier phase get|advance|force|history|transitions [options]

Where the work of this repository stands, between the design and the handover.

  get          the phase
  transitions  the phases that may follow it
  advance      a step to one of those
  force        a step to any phase, with a reason
  history      every step, with who took it

atelier phase advance --help shows the options of advance, and so on.
`;

/** `atelier phase`: where a project stands, how it came there, and its next step. */
export const phase: Command = commandGroup({
  name: 'phase',
  help: HELP,
  commands: { get, advance, force, history, transitions },
});
