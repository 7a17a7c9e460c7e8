import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

interface Accepted {
  /** The command as it is typed, such as `phase advance`. */
  readonly command: string;
  /** What its positionals stand for, in order; all have to be there. */
  readonly takes?: readonly string[];
  /** Options with a text. */
  readonly texts?: readonly string[];
  /** Of these, the ones that can not be left out. */
  readonly needs?: readonly string[];
  readonly flags?: readonly string[];
}

/** What a command line says, every part of it accepted. */
export interface TeamArguments {
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
  readonly help: boolean;
  readonly positionals: readonly string[];
  text(name: string): string | undefined;
  /** A text that was accepted as one that has to be there, or a positional by what it stands for. */
  given(name: string): string;
  flag(name: string): boolean;
}

/**
 * Reads a command line. Throws a {@link UsageError} naming what is foreign, missing or too much; a question for help is
 * never refused.
 */
export function parseTeamArguments(args: readonly string[], accepted: Accepted): TeamArguments {
  const { takes = [], needs = [] } = accepted;
  const { values, positionals } = parse(args, accepted);
  const help = values['help'] === true;
  const text = (name: string) => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  if (!help) {
    const missing = takes[positionals.length];
    if (missing !== undefined) throw wrong(accepted, `needs ${article(missing)}`);
    if (positionals.length > takes.length)
      throw wrong(accepted, `has no use for "${positionals[takes.length]}"`);
    const absent = needs.find((name) => (text(name) ?? '').trim() === '');
    if (absent !== undefined) throw wrong(accepted, `needs --${absent}`);
  }
  return {
    repo: text('repo'),
    stateDir: text('state-dir'),
    help,
    positionals,
    text,
    given: (name) => positionals[takes.indexOf(name)] ?? text(name) ?? '',
    flag: (name) => values[name] === true,
  };
}

function parse(args: readonly string[], { command, texts = [], flags = [] }: Accepted) {
  const option = (type: 'string' | 'boolean') => (name: string) => [name, { type }] as const;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(['repo', 'state-dir', ...texts].map(option('string'))),
        ...Object.fromEntries(flags.map(option('boolean'))),
        help: { type: 'boolean', short: 'h' },
      },
    });
    return { values: values as Readonly<Record<string, unknown>>, positionals };
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, seeHelp(command));
  }
}

const article = (name: string): string => `${/^[AEIOU]/u.test(name) ? 'an' : 'a'} ${name}`;

const wrong = ({ command }: Accepted, what: string): UsageError =>
  new UsageError(`${command} ${what}`, seeHelp(command));

const seeHelp = (command: string): string => `See atelier ${command} --help.`;
