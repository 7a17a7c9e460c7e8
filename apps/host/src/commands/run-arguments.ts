import { parseArgs } from 'node:util';
import type { Policy } from '@atelier/engine';
import { UsageError } from '../command.ts';
import type { MergeMode } from '../compose/take-over.ts';
import { durationMs } from '../duration.ts';
import { type SpendLimit, spendLimit } from '../spend-limit.ts';

/** What `run` and `resume` take on the command line. */
export interface RunArguments {
  /** Undefined when none was named: claude, or what the run was started with. */
  readonly agent: string | undefined;
  readonly agentArgs: readonly string[];
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
  readonly runMode: string | undefined;
  readonly policy: Partial<Policy>;
  /** Undefined when none was named. */
  readonly budget: SpendLimit | undefined;
  /** A tier or the full name of a model, for every attempt. */
  readonly model: string | undefined;
  readonly fresh: boolean;
  /** Whether merged work of earlier runs may stand for a task. */
  readonly replay: boolean;
  readonly takePlan: boolean;
  /** How the branch that is checked out takes the work over in the end; undefined: not at all. */
  readonly merge: MergeMode | undefined;
  /** The team meets over the plan first. */
  readonly meet: boolean;
  /** Lets the run through a phase gate that is shut. */
  readonly bypassReason: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
  readonly positionals: readonly string[];
}

export const RUN_OPTIONS = `  --repo DIR          the repository; the current folder when absent
  --agent AGENT       claude, codex, or command:PROGRAM; when absent what the run has, else claude
  --agent-arg ARG     an argument of PROGRAM; may be repeated
  --run-mode MODE     cost-lean, balanced or quality-lean
  --budget AMOUNT     what the whole run may spend: output tokens (500k, 2m) or dollars ('$20', 20usd);
                      may be repeated. How much of it is spent at most, the run mode says
  --model MODEL       haiku, sonnet, opus (claude alone), or the name of a model, for every attempt
  --max-workers N     attempts at once (5; cost-lean: 2)
  --max-attempts N    dispatches per task, 1 to 5 (5)
  --wall-clock TIME   per attempt: 90s, 30m, 1h; at most 30m (30m)
  --raise-caps        allow more than 5 attempts and 30 minutes
  --schedule NAME     parallel: wave by wave; pipeline: each task when what it needs is merged; when
                      absent, what the plan says, else parallel. A run keeps its own
  --on-held MODE      what a worker's blocked or needs-input does: retry spends another attempt, close
                      ends the task as held, for you (retry)
  --break-after N     park when N attempts in a row fail the same way, across tasks (3); 0: never
  --stall TIME        look at a worker that has been silent for so long
  --merge MODE        when all is done, merge into the branch that is checked out: ff or no-ff
  --no-replay         do every task, even where an earlier run has merged the same work
  --bypass-reason TEXT  start although the project is in another phase, and record why (agent-team mode)
  --state-dir DIR     where worktrees and output are kept
  --json              events as NDJSON on standard output
  -h, --help          show this
`;

/** Throws a {@link UsageError} for anything that the command does not know. */
export function parseRunArguments(
  command: 'run' | 'resume',
  args: readonly string[],
): RunArguments {
  const { values, positionals } = parse(command, args);
  if (command === 'resume' && values.meet)
    throw new UsageError(
      'resume does not know --meet: a meeting is before the dispatch, and the run has begun',
      'Leave it out.',
    );
  const foreign = command === 'run' ? 'take-plan' : 'new';
  if (values[foreign])
    throw new UsageError(`${command} does not know --${foreign}`, `See atelier ${command} --help.`);
  return {
    positionals,
    agent: values.agent,
    agentArgs: values['agent-arg'] ?? [],
    repo: values.repo,
    stateDir: values['state-dir'],
    runMode: values['run-mode'],
    budget: values.budget === undefined ? undefined : spendLimit(values.budget),
    model: values.model,
    fresh: values.new ?? false,
    replay: !(values['no-replay'] ?? false),
    takePlan: values['take-plan'] ?? false,
    merge: mergeMode(values.merge),
    meet: values.meet ?? false,
    bypassReason: values['bypass-reason'],
    json: values.json ?? false,
    help: values.help ?? false,
    policy: {
      ...integer('maxWorkers', '--max-workers', values['max-workers']),
      ...integer('maxAttempts', '--max-attempts', values['max-attempts']),
      ...duration('wallClockMs', '--wall-clock', values['wall-clock']),
      ...duration('stallMs', '--stall', values.stall),
      ...breakAfter(values['break-after']),
      ...schedule(values.schedule),
      ...onHeld(values['on-held']),
      ...(values['raise-caps'] ? { raiseCaps: true } : {}),
    },
  };
}

function parse(command: string, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        repo: { type: 'string' },
        agent: { type: 'string' },
        'agent-arg': { type: 'string', multiple: true },
        'run-mode': { type: 'string' },
        'max-workers': { type: 'string' },
        'max-attempts': { type: 'string' },
        'wall-clock': { type: 'string' },
        'break-after': { type: 'string' },
        budget: { type: 'string', multiple: true },
        model: { type: 'string' },
        schedule: { type: 'string' },
        'on-held': { type: 'string' },
        stall: { type: 'string' },
        'state-dir': { type: 'string' },
        new: { type: 'boolean' },
        'no-replay': { type: 'boolean' },
        'take-plan': { type: 'boolean' },
        merge: { type: 'string' },
        meet: { type: 'boolean' },
        'bypass-reason': { type: 'string' },
        'raise-caps': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, `See atelier ${command} --help.`);
  }
}

function integer<K extends string>(key: K, flag: string, given: string | undefined) {
  if (given === undefined) return {};
  if (!/^\d{1,9}$/u.test(given) || Number(given) < 1)
    throw new UsageError(
      `${flag} must be an integer of at least 1, got "${given}"`,
      'For example 3.',
    );
  return { [key]: Number(given) } as Record<K, number>;
}

/** Zero is the largest number there is: a streak of that length does not come. */
function breakAfter(given: string | undefined): Partial<Policy> {
  if (given === '0') return { breakAfter: Number.MAX_SAFE_INTEGER };
  if (given === '1')
    throw new UsageError('--break-after 1 would park at any failure', 'Use 2 or more, or 0.');
  return integer('breakAfter', '--break-after', given);
}

function duration<K extends string>(key: K, flag: string, given: string | undefined) {
  if (given === undefined) return {};
  const ms = durationMs(given);
  if (ms === undefined)
    throw new UsageError(`${flag} must be a time, got "${given}"`, 'For example 90s, 30m or 1h.');
  return { [key]: ms } as Record<K, number>;
}

function onHeld(given: string | undefined): Partial<Policy> {
  if (given === undefined) return {};
  if (given === 'retry' || given === 'close') return { onHeld: given };
  throw new UsageError(
    `--on-held must be retry or close, got "${given}"`,
    'Leave it out for retry.',
  );
}

function schedule(given: string | undefined): Partial<Policy> {
  if (given === undefined) return {};
  if (given === 'parallel' || given === 'pipeline') return { schedule: given };
  throw new UsageError(
    `--schedule must be parallel or pipeline, got "${given}"`,
    'Leave it out for what the plan asks for.',
  );
}

function mergeMode(given: string | undefined): MergeMode | undefined {
  if (given === undefined || given === 'ff' || given === 'no-ff') return given;
  throw new UsageError(
    `--merge must be ff or no-ff, got "${given}"`,
    'Leave it out: the report says how to merge by hand.',
  );
}
