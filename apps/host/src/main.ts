import { createRequire } from 'node:module';
import { closestName } from '@atelier/engine/plan';
import { renderIssues } from '@atelier/reporters';
import { type Command, type ExitCode, UsageError } from './command.ts';
import { plan } from './commands/plan.ts';
import type { Streams } from './streams.ts';

const COMMANDS: ReadonlyMap<string, Command> = new Map([['plan', plan]]);

/** Runs one `atelier` command line and resolves to its exit code. Rejects only for a bug. */
export async function main(args: readonly string[], streams: Streams): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (name === undefined) {
    streams.stderr.write(overview());
    return 2;
  }
  if (name === '--help' || name === '-h') {
    streams.stdout.write(overview());
    return 0;
  }
  if (name === '--version') {
    streams.stdout.write(`${version()}\n`);
    return 0;
  }
  try {
    return await commandOf(name).run(rest, streams);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, fix } = error;
    streams.stderr.write(renderIssues([{ path: 'atelier', message, fix }]));
    return 2;
  }
}

function commandOf(name: string): Command {
  const command = COMMANDS.get(name);
  if (command) return command;
  const meant = closestName(name, [...COMMANDS.keys()]);
  const fix = meant === undefined ? 'See atelier --help.' : `Did you mean ${meant}?`;
  throw new UsageError(`there is no command "${name}"`, fix);
}

function overview(): string {
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`);
  return `Usage: atelier <command> [options]

Commands:
${lines.join('\n')}

atelier <command> --help shows its options; atelier --version shows the version.
`;
}

function version(): string {
  const manifest: { readonly version: string } = createRequire(import.meta.url)('../package.json');
  return manifest.version;
}
