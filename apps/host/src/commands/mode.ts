import { jsonLine } from '@atelier/reporters';
import type { Command } from '../command.ts';
import {
  type DispatchModeChoice,
  dispatchModeOf,
  markDispatchMode,
  modeInEnvironment,
} from '../team/dispatch-mode.ts';
import { MARKER } from '../team/mode-marker.ts';
import { commandGroup } from './command-group.ts';
import { openClone } from './salvage-clone.ts';
import { parseTeamArguments } from './team-arguments.ts';

const HELP = `Usage: atelier mode get [--json] [--repo DIR]
       atelier mode set MODE [--repo DIR]

How the work of this repository is led: subagent, or agent-team, which has phases and a gate before each run. It is the
value of ATELIER_DISPATCH_MODE, else the line in ${MARKER} (of this worktree or else of the main one), else
subagent. Nobody is ever asked for it. A marker that git tracks has no effect: anybody may have written it.
`;

const SAID_BY: Readonly<Record<DispatchModeChoice['source'], string>> = {
  environment: 'ATELIER_DISPATCH_MODE',
  marker: MARKER,
  'main-worktree': `${MARKER} of the main worktree`,
  said: 'atelier mode set',
  default: 'nothing else is set',
};

const get: Command['run'] = async (args, { stdout, stderr }, environment) => {
  const given = parseTeamArguments(args, { command: 'mode get', flags: ['json'] });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  const choice = await dispatchModeOf(await openClone(given.repo, environment), environment.whole);
  if (choice.warning !== undefined) stderr.write(`warning: ${choice.warning}\n`);
  stdout.write(
    given.flag('json')
      ? jsonLine({ version: 1, ...choice })
      : `${choice.mode} (${SAID_BY[choice.source]})\n`,
  );
  return 0;
};

const set: Command['run'] = async (args, { stdout, stderr }, environment) => {
  const given = parseTeamArguments(args, { command: 'mode set', takes: ['MODE'] });
  if (given.help) {
    stdout.write(HELP);
    return 0;
  }
  const clone = await openClone(given.repo, environment);
  // Before anything is written: what it says comes first, so that it has to be a mode.
  const asked = modeInEnvironment(environment.whole);
  const mode = markDispatchMode(clone, given.given('MODE'));
  const { warning } = await dispatchModeOf(clone, {});
  stdout.write(`The mode is ${mode}.\n`);
  if (warning !== undefined) stderr.write(`warning: ${warning}\n`);
  if (asked !== undefined && asked !== mode)
    stderr.write(`ATELIER_DISPATCH_MODE says ${asked}, and comes before ${MARKER}.\n`);
  return 0;
};

/** `atelier mode`: how the work of a repository is led. */
export const mode: Command = commandGroup({ name: 'mode', help: HELP, commands: { get, set } });
