import { parseArgs } from 'node:util';
import { UsageError } from '../command.ts';

export const HELP: string = `Usage: atelier plan --from GOAL [options]

Has an agent propose a plan for a goal. It sees the repository at HEAD and can only read; what it proposes is checked like
any plan, goes back once with every defect, and is written to a file for you. Nothing of it is dispatched. No budget holds
here: each of its attempts has the limits of any attempt, and atelier cost shows what it used.

  --from GOAL         what is wanted, in your own words
  -o, --output FILE   where the plan goes; atelier.plan.json when absent
  --force             replace a file that is there
  --agent AGENT       claude (default), codex, or command:PROGRAM
  --agent-arg ARG     an argument of PROGRAM; may be repeated
  --model MODEL       haiku, sonnet, opus, or the name of a model
  --run-mode MODE     cost-lean, balanced or quality-lean
  --repo DIR          the repository; the current folder when absent
  --state-dir DIR     where output is kept
  --json              print one JSON object
  -h, --help          show this
`;

export interface PlanFromArguments {
  /** Empty only when help was asked for. */
  readonly goal: string;
  readonly output: string;
  readonly force: boolean;
  readonly agent: string;
  readonly agentArgs: readonly string[];
  readonly model: string | undefined;
  readonly runMode: string | undefined;
  readonly repo: string | undefined;
  readonly stateDir: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
}

/** Whether a command line of `atelier plan` asks for a plan instead of naming one. */
export const asksForPlan = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '--from' || arg.startsWith('--from='));

/** Throws a {@link UsageError} for anything it does not know. */
export function parsePlanFromArguments(args: readonly string[]): PlanFromArguments {
  const { values, positionals } = parse(args);
  const goal = values.from ?? '';
  const help = values.help ?? false;
  if (goal.trim() === '' && !help)
    throw new UsageError('--from needs a GOAL', 'Say what is wanted, in quotes.');
  if (positionals.length > 0 && !help)
    throw new UsageError(
      'plan takes a FILE or --from GOAL, not both',
      'Put the whole goal in quotes; name the file to write with -o.',
    );
  return {
    ...{ goal, help, output: values.output ?? 'atelier.plan.json', force: values.force ?? false },
    ...{ agent: values.agent ?? 'claude', agentArgs: values['agent-arg'] ?? [] },
    ...{ model: values.model, runMode: values['run-mode'] },
    ...{ repo: values.repo, stateDir: values['state-dir'], json: values.json ?? false },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        from: { type: 'string' },
        output: { type: 'string', short: 'o' },
        force: { type: 'boolean' },
        agent: { type: 'string' },
        'agent-arg': { type: 'string', multiple: true },
        model: { type: 'string' },
        'run-mode': { type: 'string' },
        repo: { type: 'string' },
        'state-dir': { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // parseArgs throws for nothing but the user's mistakes.
    const [message = ''] = error instanceof Error ? error.message.split('. ') : [];
    throw new UsageError(message, 'See atelier plan --from GOAL --help.');
  }
}
