import { parseArgs } from 'node:util';
import { byteSize } from '../byte-size.ts';
import { UsageError } from '../command.ts';

const OPTIONS = {
  repo: { type: 'string' },
  'state-dir': { type: 'string' },
  json: { type: 'boolean' },
  max: { type: 'string' },
  'dry-run': { type: 'boolean' },
  unfinished: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface WorktreesArguments {
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
  readonly json: boolean;
  readonly maxBytes: number | undefined;
  readonly dryRun: boolean;
  readonly unfinished: boolean;
  readonly help: boolean;
}

/** Throws a {@link UsageError} for anything but the given options, `repo`, `state-dir`, `json` and `help`. */
export function parseWorktreesArguments(
  subcommand: string,
  args: readonly string[],
  options: readonly (keyof typeof OPTIONS)[],
): WorktreesArguments {
  const values = parse(subcommand, args);
  const known: readonly string[] = [...options, 'repo', 'state-dir', 'json', 'help'];
  const foreign = Object.keys(values).find((name) => !known.includes(name));
  if (foreign !== undefined)
    throw new UsageError(
      `worktrees ${subcommand} has no --${foreign}`,
      `See atelier worktrees ${subcommand} --help.`,
    );
  return {
    repo: values.repo,
    stateDir: values['state-dir'],
    json: values.json ?? false,
    maxBytes: sizeOf(values.max),
    dryRun: values['dry-run'] ?? false,
    unfinished: values.unfinished ?? false,
    help: values.help ?? false,
  };
}

function parse(subcommand: string, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, `See atelier worktrees ${subcommand} --help.`);
  }
}

function sizeOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const bytes = byteSize(given);
  if (bytes !== undefined) return bytes;
  throw new UsageError(`--max must be a size, got "${given}"`, 'Write it as 500MB, 2GiB or 0.');
}
