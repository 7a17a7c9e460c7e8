import { closestName } from '@atelier/engine/plan';
import { type Command, UsageError } from '../command.ts';

interface CommandGroup {
  readonly name: string;
  readonly help: string;
  readonly commands: Readonly<Record<string, Command['run']>>;
}

/** A command whose first argument names what it does. */
export function commandGroup({ name, help, commands }: CommandGroup): Command {
  const known = new Map(Object.entries(commands));
  return {
    async run([first = '', ...rest], streams, environment) {
      if (first === '--help' || first === '-h') {
        streams.stdout.write(help);
        return 0;
      }
      const command = known.get(first);
      if (command) return command(rest, streams, environment);
      const meant = closestName(first, [...known.keys()]);
      throw new UsageError(
        first === '' ? `${name} needs ${oneOf([...known.keys()])}` : `${name} has no "${first}"`,
        meant === undefined ? `See atelier ${name} --help.` : `Did you mean ${meant}?`,
      );
    },
  };
}

const oneOf = (names: readonly string[]): string =>
  names.join(', ').replace(/, ([^,]*)$/u, ' or $1');
