import { closestName } from '@atelier/engine/plan';
import { finishedRecord, jsonLine, type RenderedIssue, renderIssues } from '@atelier/reporters';
import { type Command, type ExitCode, UsageError } from './command.ts';
import { readEnvironment } from './environment.ts';
import { asCodedError } from './host-error.ts';
import { isMidRun } from './mid-run.ts';
import { PlanRefused } from './plan-refused.ts';
import type { Streams } from './streams.ts';
import { version } from './version.ts';

interface Listed {
  readonly summary: string;
  /** Most of the time that a short command takes is loading what it does not need. */
  load(): Promise<Command>;
}

const COMMANDS: ReadonlyMap<string, Listed> = new Map<string, Listed>([
  [
    'plan',
    {
      summary: 'check a plan and preview its waves',
      load: async () => (await import('./commands/plan.ts')).plan,
    },
  ],
  [
    'meet',
    {
      summary: 'have the personas of a plan meet over it',
      load: async () => (await import('./commands/meet.ts')).meet,
    },
  ],
  [
    'run',
    {
      summary: 'run a plan on a git repository',
      load: async () => (await import('./commands/run.ts')).run,
    },
  ],
  [
    'resume',
    {
      summary: 'go on with an unfinished run',
      load: async () => (await import('./commands/resume.ts')).resume,
    },
  ],
  [
    'status',
    {
      summary: 'show where a run stands',
      load: async () => (await import('./commands/status.ts')).status,
    },
  ],
  [
    'logs',
    {
      summary: 'show what an attempt has written',
      load: async () => (await import('./commands/logs.ts')).logs,
    },
  ],
  [
    'cost',
    {
      summary: 'show what the attempts of a run have used',
      load: async () => (await import('./commands/cost.ts')).cost,
    },
  ],
  [
    'report',
    {
      summary: 'print what a run came to, as Markdown',
      load: async () => (await import('./commands/report.ts')).report,
    },
  ],
  [
    'config',
    {
      summary: 'show and set your own defaults',
      load: async () => (await import('./commands/config.ts')).config,
    },
  ],
  [
    'merge',
    {
      summary: 'take over the work of a run',
      load: async () => (await import('./commands/merge.ts')).merge,
    },
  ],
  [
    'abort',
    {
      summary: 'end a run from another terminal',
      load: async () => (await import('./commands/abort.ts')).abort,
    },
  ],
  [
    'ack',
    {
      summary: 'note that an escalation was seen',
      load: async () => (await import('./commands/ack.ts')).ack,
    },
  ],
  [
    'retry',
    {
      summary: 'let later runs try a task again',
      load: async () => (await import('./commands/retry.ts')).retry,
    },
  ],
  [
    'post-mortem',
    {
      summary: 'stop what nobody resolved',
      load: async () => (await import('./commands/post-mortem.ts')).postMortem,
    },
  ],
  [
    'audit',
    {
      summary: 'show what was booked around the runs',
      load: async () => (await import('./commands/audit.ts')).audit,
    },
  ],
  [
    'verify',
    {
      summary: 'prove the record of all runs',
      load: async () => (await import('./commands/verify.ts')).verify,
    },
  ],
  [
    'salvage',
    {
      summary: 'list, show and give back saved work',
      load: async () => (await import('./commands/salvage.ts')).salvage,
    },
  ],
  [
    'worktrees',
    {
      summary: 'list and remove worktrees that runs left',
      load: async () => (await import('./commands/worktrees.ts')).worktrees,
    },
  ],
  [
    'mode',
    {
      summary: 'show and set how the work is led',
      load: async () => (await import('./commands/mode.ts')).mode,
    },
  ],
  [
    'phase',
    {
      summary: 'show and change where the work stands',
      load: async () => (await import('./commands/phase.ts')).phase,
    },
  ],
  [
    'gate',
    {
      summary: 'ask whether a procedure may begin',
      load: async () => (await import('./commands/gate.ts')).gate,
    },
  ],
  [
    'roster',
    {
      summary: 'list personas and let new ones in',
      load: async () => (await import('./commands/roster.ts')).roster,
    },
  ],
  [
    'side-query',
    {
      summary: 'record what a worker was asked',
      load: async () => (await import('./commands/side-query.ts')).sideQuery,
    },
  ],
  [
    'doctor',
    {
      summary: 'try what a run needs on this machine',
      load: async () => (await import('./commands/doctor.ts')).doctor,
    },
  ],
  [
    'demo',
    {
      summary: 'run a scripted plan in a temporary repository',
      load: async () => (await import('./commands/demo.ts')).demo,
    },
  ],
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
    const command = await commandOf(name).load();
    return await command.run(rest, streams, readEnvironment(env, cwd));
  } catch (error) {
    const issues = refusalOf(error);
    if (!issues) throw error;
    streams.stderr.write(renderIssues(issues));
    if (isMidRun(error)) return 1;
    if (rest.includes('--json') && (name === 'run' || name === 'resume'))
      streams.stdout.write(jsonLine(finishedRecord({ verdict: 'refused' })));
    return 2;
  }
}

/** What a person can mend; anything else is a bug of ours. */
function refusalOf(error: unknown): readonly RenderedIssue[] | undefined {
  if (error instanceof PlanRefused) return error.issues;
  if (error instanceof UsageError)
    return [{ path: 'atelier', message: error.message, fix: error.fix }];
  const coded = asCodedError(error);
  return coded && [{ path: coded.code, message: coded.message, fix: coded.hint }];
}

function commandOf(name: string): Listed {
  const command = COMMANDS.get(name);
  if (command) return command;
  const meant = closestName(name, [...COMMANDS.keys()]);
  const fix = meant === undefined ? 'See atelier --help.' : `Did you mean ${meant}?`;
  throw new UsageError(`there is no command "${name}"`, fix);
}

function overview(): string {
  const lines = [...COMMANDS].map(([name, { summary }]) => `  ${name.padEnd(13)}${summary}`);
  return `Usage: atelier <command> [options]

Commands:
${lines.join('\n')}

atelier <command> --help shows its options; atelier --version shows the version.
`;
}
