import { parseArgs } from 'node:util';
import { DEFAULTS } from '@atelier/engine';
import { UsageError } from '../command.ts';

export const HELP: string = `Usage: atelier plan FILE [options]

Checks a plan in YAML or JSON and shows the waves a run would go through. Nothing is started.

  --json            print one JSON object instead of a table
  --max-attempts N  dispatches per task, 1 to ${DEFAULTS.maxAttempts}
  --raise-caps      allow more than ${DEFAULTS.maxAttempts}
  --run-mode MODE   what a run would cost under it: cost-lean, balanced or quality-lean
  --agent AGENT     and with it: claude (default), codex, or command:PROGRAM
  --model MODEL     and with that model for every attempt
  -h, --help        show this
`;

/** What the estimate of a plan is for. */
export interface SpendWords {
  readonly runMode: string | undefined;
  readonly agent: string | undefined;
  readonly model: string | undefined;
}

export interface PlanArguments extends SpendWords {
  /** Empty only when help was asked for. */
  readonly file: string;
  readonly json: boolean;
  readonly help: boolean;
  readonly caps: { readonly maxAttempts: number; readonly raiseCaps: boolean };
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
  return {
    ...{ file, json: values.json ?? false, help, caps: { maxAttempts, raiseCaps } },
    ...{ runMode: values['run-mode'], agent: values.agent, model: values.model },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
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
