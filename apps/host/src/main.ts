import { createRequire } from 'node:module';
import { closestName } from '@atelier/engine/plan';
import { finishedRecord, jsonLine, type RenderedIssue, renderIssues } from '@atelier/reporters';
import { type Command, type ExitCode, UsageError } from './command.ts';
import { abort } from './commands/abort.ts';
import { ack } from './commands/ack.ts';
import { demo } from './commands/demo.ts';
import { doctor } from './commands/doctor.ts';
import { logs } from './commands/logs.ts';
import { merge } from './commands/merge.ts';
import { plan } from './commands/plan.ts';
import { resume } from './commands/resume.ts';
import { run } from './commands/run.ts';
import { salvage } from './commands/salvage.ts';
import { status } from './commands/status.ts';
import { verify } from './commands/verify.ts';
import { worktrees } from './commands/worktrees.ts';
import { readEnvironment } from './environment.ts';
import { asCodedError } from './host-error.ts';
import { PlanRefused } from './plan-refused.ts';
import type { Streams } from './streams.ts';

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['plan', plan],
  ['run', run],
  ['resume', resume],
  ['status', status],
  ['logs', logs],
  ['merge', merge],
  ['abort', abort],
  ['ack', ack],
  ['verify', verify],
  ['salvage', salvage],
  ['worktrees', worktrees],
  ['doctor', doctor],
  ['demo', demo],
]);

/** What a command line is run in: by default, this process. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Runs one `atelier` command line and resolves to its exit code. Rejects only for a bug. */
export async function main(
  args: readonly string[],
  streams: Streams,
  { env, cwd }: Surroundings = { env: process.env, cwd: process.cwd() },
): Promise<ExitCode> {
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
    return await commandOf(name).run(rest, streams, readEnvironment(env, cwd));
  } catch (error) {
    const issues = refusalOf(error);
    if (!issues) throw error;
    streams.stderr.write(renderIssues(issues));
    if (MID_RUN.has(asCodedError(error)?.code)) return 1;
    if (rest.includes('--json') && (name === 'run' || name === 'resume'))
      streams.stdout.write(jsonLine(finishedRecord({ verdict: 'refused' })));
    return 2;
  }
}

/** Not a refusal: something was dispatched before it. */
const MID_RUN: ReadonlySet<string | undefined> = new Set([
  'JOURNAL_FAILED',
  'BARRIER',
  'TERMINATION',
]);

/** What a person can mend; anything else is a bug of ours. */
function refusalOf(error: unknown): readonly RenderedIssue[] | undefined {
  if (error instanceof PlanRefused) return error.issues;
  if (error instanceof UsageError)
    return [{ path: 'atelier', message: error.message, fix: error.fix }];
  const coded = asCodedError(error);
  return coded && [{ path: coded.code, message: coded.message, fix: coded.hint }];
}

function commandOf(name: string): Command {
  const command = COMMANDS.get(name);
  if (command) return command;
  const meant = closestName(name, [...COMMANDS.keys()]);
  const fix = meant === undefined ? 'See atelier --help.' : `Did you mean ${meant}?`;
  throw new UsageError(`there is no command "${name}"`, fix);
}

function overview(): string {
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(11)}${summary}`);
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
