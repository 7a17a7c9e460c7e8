import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

/** What the commands that look at runs take. */
export interface ProjectArguments {
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
  readonly run: string | undefined;
  readonly flags: ReadonlySet<string>;
  readonly attempt: number | undefined;
  readonly positionals: readonly string[];
}

/** Throws a {@link UsageError} for anything but the given flags and what every such command takes. */
export function parseProjectArguments(
  command: string,
  args: readonly string[],
  flags: readonly string[],
): ProjectArguments {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        repo: { type: 'string' },
        'state-dir': { type: 'string' },
        run: { type: 'string' },
        attempt: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }])),
      },
    });
    const texts = values as Readonly<Record<string, string | boolean | undefined>>;
    const set = Object.keys(texts).filter((name) => texts[name] === true);
    const text = (name: string) => (typeof texts[name] === 'string' ? texts[name] : undefined);
    return {
      repo: text('repo'),
      stateDir: text('state-dir'),
      run: text('run'),
      attempt: attemptOf(text('attempt')),
      flags: new Set(set),
      positionals,
    };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, `See atelier ${command} --help.`);
  }
}

function attemptOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/u.test(given)) return Number(given);
  throw new UsageError(
    `--attempt must be an integer of at least 1, got "${given}"`,
    'Leave it out for the last.',
  );
}
