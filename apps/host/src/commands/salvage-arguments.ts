import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

const OPTIONS = {
  repo: { type: 'string' },
  run: { type: 'string' },
  attempt: { type: 'string' },
  branch: { type: 'string' },
  to: { type: 'string' },
  patch: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface SalvageArguments {
  readonly repo: string | undefined;
  readonly run: string | undefined;
  readonly attempt: number | undefined;
  readonly branch: string | undefined;
  readonly to: string | undefined;
  readonly patch: boolean;
  readonly json: boolean;
  readonly help: boolean;
  readonly positionals: readonly string[];
}

/** Throws a {@link UsageError} for anything but the given options, `repo`, `run` and `help`. */
export function parseSalvageArguments(
  subcommand: string,
  args: readonly string[],
  options: readonly (keyof typeof OPTIONS)[],
): SalvageArguments {
  const { values, positionals } = parse(subcommand, args);
  const known: readonly string[] = [...options, 'repo', 'run', 'help'];
  const foreign = Object.keys(values).find((name) => !known.includes(name));
  if (foreign !== undefined)
    throw new UsageError(
      `salvage ${subcommand} has no --${foreign}`,
      `See atelier salvage ${subcommand} --help.`,
    );
  return {
    repo: values.repo,
    run: values.run,
    attempt: attemptOf(values.attempt),
    branch: values.branch,
    to: values.to,
    patch: values.patch ?? false,
    json: values.json ?? false,
    help: values.help ?? false,
    positionals,
  };
}

function parse(subcommand: string, args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, `See atelier salvage ${subcommand} --help.`);
  }
}

function attemptOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/u.test(given)) return Number(given);
  throw new UsageError(
    `--attempt must be an integer of at least 1, got "${given}"`,
    'Leave it out for the last.',
  );
}
