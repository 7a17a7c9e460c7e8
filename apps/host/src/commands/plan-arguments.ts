import { parseArgs } from 'node:util';
import { DEFAULTS } from '@atelier/engine';
import { UsageError } from '../command.ts';
import { durationMs } from '../duration.ts';

export const HELP: string = `Usage: atelier plan FILE [options]
       atelier plan --from GOAL [options]
       atelier plan --approve FILE [--repo DIR]

Checks a plan in YAML or JSON and shows the waves a run would go through. Nothing is started.
With --from an agent proposes a plan first: see atelier plan --from GOAL --help. With --approve
a person agrees to it: see atelier plan --approve --help.

  --json            print one JSON object instead of a table; its schema is @atelier/reporters/preview.schema.json
  --graph           print the waves as a Mermaid flowchart
  --replay          also what a run would spare for an earlier one, and what it would do anew and why
  --max-attempts N  dispatches per task, 1 to ${DEFAULTS.maxAttempts}
  --raise-caps      allow more than ${DEFAULTS.maxAttempts}
  --run-mode MODE   what a run would cost under it: cost-lean, balanced or quality-lean
  --agent AGENT     and with it: claude (default), codex, or command:PROGRAM
  --agent-arg ARG   an argument of PROGRAM, with --replay; may be repeated
  --model MODEL     and with that model for every attempt
  --schedule NAME   parallel or pipeline, in place of what the plan asks for
  --wall-clock TIME what attempts would be given, with --replay
  --repo DIR        the repository that the plan is for: its files, roster and earlier runs; the current folder when absent
  -h, --help        show this
`;

/** What the estimate of a plan is for. */
interface SpendWords {
  readonly runMode: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

/** What a run would be started with, as far as `--replay` needs it. */
export interface ReplayWords {
  readonly agentArgs: readonly string[];
  readonly wallClockMs: number | undefined;
}

export interface PlanArguments extends SpendWords {
  /** Empty only when help was asked for. */
  readonly file: string;
  readonly json: boolean;
  readonly graph: boolean;
  /** A folder of the clone that the plan is for. */
  readonly repo: string | undefined;
  /** Undefined unless it was asked for. */
  readonly replay: ReplayWords | undefined;
  readonly help: boolean;
  readonly caps: {
    readonly maxAttempts: number;
    readonly raiseCaps: boolean;
    readonly schedule?: 'parallel' | 'pipeline';
  };
}

/** Throws a {@link UsageError} for anything it does not know. */
export function parsePlanArguments(args: readonly string[]): PlanArguments {
  const { values, positionals } = parse(args);
  const [file = '', ...more] = positionals;
  const help = values.help ?? false;
  if (file === '' && !help) {
    throw new UsageError('plan needs a FILE', 'Name a plan in YAML or JSON.');
  }
  if (more.length > 0) {
    throw new UsageError(
      `plan takes one FILE, got ${positionals.length}`,
      'Check them one by one.',
    );
  }
  const raiseCaps = values['raise-caps'] ?? false;
  const maxAttempts = attemptsOf(values['max-attempts'], raiseCaps);
  const [json, graph] = [values.json ?? false, values.graph ?? false];
  if (json && graph) throw new UsageError('--json and --graph are two answers', 'Ask for one.');
  const wallClockMs = wallClock(values['wall-clock']);
  const words = { agentArgs: values['agent-arg'] ?? [], wallClockMs };
  assertEffect(values);
  return {
    ...{ file, json, graph, help, repo: values.repo, replay: values.replay ? words : undefined },
    caps: { maxAttempts, raiseCaps, ...scheduleOf(values.schedule) },
    ...{ runMode: values['run-mode'], agent: values.agent, model: values.model },
  };
}

/** A word that would change nothing of the answer was meant to. */
function assertEffect(values: ReturnType<typeof parse>['values']): void {
  if (values.replay && values.graph)
    throw new UsageError('--graph draws nothing of --replay', 'Leave one of them out.');
  if (values.replay) return;
  for (const word of ['agent-arg', 'wall-clock'] as const)
    if (values[word] !== undefined)
      throw new UsageError(`--${word} has no effect without --replay`, 'Add --replay.');
}

function wallClock(given: string | undefined): number | undefined {
  const ms = given === undefined ? undefined : durationMs(given);
  if (given !== undefined && ms === undefined)
    throw new UsageError(`--wall-clock must be a time, got "${given}"`, 'For example 90s or 30m.');
  return ms;
}

function scheduleOf(given: string | undefined): Pick<PlanArguments['caps'], 'schedule'> {
  if (given === undefined) return {};
  if (given === 'parallel' || given === 'pipeline') return { schedule: given };
  throw new UsageError(
    `--schedule must be parallel or pipeline, got "${given}"`,
    'Leave it out for what the plan asks for.',
  );
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        graph: { type: 'boolean' },
        replay: { type: 'boolean' },
        schedule: { type: 'string' },
        repo: { type: 'string' },
        'agent-arg': { type: 'string', multiple: true },
        'wall-clock': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        'max-attempts': { type: 'string' },
        'raise-caps': { type: 'boolean' },
        'run-mode': { type: 'string' },
        agent: { type: 'string' },
        model: { type: 'string' },
      },
    });
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, 'See atelier plan --help.');
  }
}

function attemptsOf(given: string | undefined, raiseCaps: boolean): number {
  if (given === undefined) return DEFAULTS.maxAttempts;
  const attempts = Number(given);
  if (!/^\d+$/u.test(given) || !Number.isSafeInteger(attempts) || attempts < 1) {
    throw new UsageError(
      `--max-attempts must be an integer of at least 1, got "${given}"`,
      'Leave it out for the default.',
    );
  }
  if (attempts > DEFAULTS.maxAttempts && !raiseCaps) {
    throw new UsageError(
      `--max-attempts ${attempts} is above ${DEFAULTS.maxAttempts}`,
      'Lower it, or add --raise-caps to state that more is meant.',
    );
  }
  return attempts;
}
