import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';
import { type SpendLimit, spendLimit } from '../spend-limit.ts';

export const HELP: string = `Usage: atelier meet FILE [options]
       atelier meet FILE --minutes NOTES [options]

Has the personas of a plan meet over it before anything is dispatched. Each turn is one attempt that can only read; what
they decided and what is open is told as minutes, and kept. Nothing of the plan changes. A team meets once, over one plan:
the next run is its run, also of the plan as you change it then. What a meeting costs is a part of what its run may spend:
when the budget of the plan, or --budget, has nothing left for a turn, the meeting is parked. With --minutes no agent is
started: the meeting that people held is kept from their notes.

  --rounds N          how often everybody speaks, at most: 1 to 20 (3)
  --anew              let the team go that has met and waits for its run, and meet in a new one; what that
                      team said stays on record
  --minutes NOTES     a file in YAML or JSON: { turns: [{ by, says, reply_to? }], summary, decisions?, open_points? };
                      by is a persona of the plan, or human
  --agent AGENT       claude (default), codex, or command:PROGRAM
  --agent-arg ARG     an argument of PROGRAM; may be repeated
  --model MODEL       haiku, sonnet, opus, or the name of a model
  --run-mode MODE     cost-lean, balanced or quality-lean
  --budget AMOUNT     in place of the plan's: output tokens (500k, 2m) or dollars ('$20', 20usd); may be
                      repeated. How much of it is spent at most, the run mode says
  --repo DIR          the repository; the current folder when absent
  --state-dir DIR     where output is kept
  --json              print one JSON object
  -h, --help          show this
`;

export interface MeetArguments {
  /** Empty only when help was asked for. */
  readonly file: string;
  /** Undefined when none were named. */
  readonly rounds: number | undefined;
  /** Notes of a meeting that people held. */
  readonly minutes: string | undefined;
  /** The team that has met lets its place to a new one. */
  readonly anew: boolean;
  /** Undefined when none was named: that of the plan. */
  readonly budget: SpendLimit | undefined;
  readonly agent: string;
  readonly agentArgs: readonly string[];
  readonly model: string | undefined;
  readonly runMode: string | undefined;
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** What only a meeting of agents has. */
const OF_AGENTS = ['rounds', 'agent', 'agent-arg', 'model', 'run-mode', 'budget'] as const;

/** Throws a {@link UsageError} for anything it does not know. */
export function parseMeetArguments(args: readonly string[]): MeetArguments {
  const { values, positionals } = parse(args);
  const help = values.help ?? false;
  const [file = '', ...more] = positionals;
  if ((file === '' || more.length > 0) && !help)
    throw new UsageError('meet takes one FILE', 'Name a plan in YAML or JSON.');
  const foreign = OF_AGENTS.find((name) => values[name] !== undefined);
  if (values.minutes !== undefined && foreign !== undefined)
    throw new UsageError(
      `--minutes starts no agent, so there is no --${foreign}`,
      'Leave one of the two out.',
    );
  return {
    ...{ file, help, minutes: values.minutes, rounds: roundsOf(values.rounds) },
    ...{ agent: values.agent ?? 'claude', agentArgs: values['agent-arg'] ?? [] },
    ...{ model: values.model, runMode: values['run-mode'], anew: values.anew ?? false },
    budget: values.budget === undefined ? undefined : spendLimit(values.budget),
    ...{ repo: values.repo, stateDir: values['state-dir'], json: values.json ?? false },
  };
}

const MOST_ROUNDS = 20;

function roundsOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const rounds = /^\d{1,3}$/u.test(given) ? Number(given) : 0;
  if (rounds >= 1 && rounds <= MOST_ROUNDS) return rounds;
  throw new UsageError(
    `--rounds must be an integer from 1 to ${MOST_ROUNDS}, got "${given}"`,
    'Leave it out for 3.',
  );
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rounds: { type: 'string' },
        minutes: { type: 'string' },
        anew: { type: 'boolean' },
        agent: { type: 'string' },
        'agent-arg': { type: 'string', multiple: true },
        model: { type: 'string' },
        'run-mode': { type: 'string' },
        budget: { type: 'string', multiple: true },
        repo: { type: 'string' },
        'state-dir': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, 'See atelier meet --help.');
  }
}
