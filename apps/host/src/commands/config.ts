import { type Command, UsageError } from '../command.ts';
import { assertRunMode } from '../compose/run-mode.ts';
import type { Environment } from '../environment.ts';
import { readConfig } from '../read-config.ts';
import type { Streams } from '../streams.ts';
import { writeConfig } from '../write-config.ts';
import { commandGroup } from './command-group.ts';

const HELP = `Usage: atelier config get run-mode
       atelier config set run-mode MODE
       atelier config unset run-mode

The run mode that is taken where neither the command line nor ATELIER_RUN_MODE names one: cost-lean, balanced or
quality-lean. It is kept in your own config; the other keys of that file are edited by hand.
`;

const KEY = 'run-mode';

async function get(args: readonly string[], { stdout }: Streams, { configFile }: Environment) {
  assertKey(args, 1);
  const { runMode } = await readConfig(configFile);
  stdout.write(`${runMode ?? 'not set'}\n`);
  return 0 as const;
}

async function set(args: readonly string[], { stdout }: Streams, { configFile }: Environment) {
  assertKey(args, 2);
  const mode = args[1]?.trim().toLowerCase();
  assertRunMode(mode, `${KEY}`);
  // Throws for a file that is not as it has to be: it would be written back.
  await readConfig(configFile);
  writeConfig(configFile, KEY, mode);
  stdout.write(`${KEY} is ${mode}.\n`);
  return 0 as const;
}

async function unset(args: readonly string[], { stdout }: Streams, { configFile }: Environment) {
  assertKey(args, 1);
  await readConfig(configFile);
  writeConfig(configFile, KEY, undefined);
  stdout.write(`${KEY} is not set.\n`);
  return 0 as const;
}

function assertKey(args: readonly string[], count: number): void {
  if (args[0] === KEY && args.length === count) return;
  throw new UsageError(
    args[0] === undefined || args[0] === KEY
      ? `config takes ${count === 1 ? 'one KEY' : 'a KEY and a value'}`
      : `config has no key "${args[0]}" that a command can set`,
    'See atelier config --help.',
  );
}

/** `atelier config`: what a user wants of every run. */
export const config: Command = commandGroup({
  name: 'config',
  help: HELP,
  commands: { get, set, unset },
});
