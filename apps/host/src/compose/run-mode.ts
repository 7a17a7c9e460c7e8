import {
  parseRunMode,
  type ResolvedRunMode,
  RUN_MODES,
  type RunMode,
  resolveRunMode,
  workersOf,
} from '@atelier/budget';
import { DEFAULTS } from '@atelier/engine';
import { UsageError } from '../command.ts';
import type { Environment } from '../environment.ts';
import type { Streams } from '../streams.ts';

/** Where a run mode may come from, but for the person at the terminal. */
export interface RunModeWords {
  /** On the command line. */
  readonly asked: string | undefined;
  /** In the user's config. */
  readonly saved: RunMode | undefined;
}

/**
 * The run mode of a new run: from the command line, else the environment, else the person at the terminal is asked, else
 * the saved default. Nobody is asked in CI. Throws a {@link UsageError} for a mode of the command line that does not exist.
 */
export async function runModeOf(
  { asked, saved }: RunModeWords,
  { ask }: Pick<Streams, 'ask'>,
  { runMode: env, ci }: Pick<Environment, 'runMode' | 'ci'>,
): Promise<ResolvedRunMode> {
  assertRunMode(asked, '--run-mode');
  const silent = asked !== undefined || parseRunMode(env) !== undefined || ci || !ask;
  const interactiveChoice = silent ? undefined : await choice(ask, saved ?? 'cost-lean');
  return resolveRunMode({ explicit: asked, interactiveChoice, env, saved });
}

/** Throws a {@link UsageError} naming `where` the word stands. */
export function assertRunMode(word: string | undefined, where: string): void {
  if (word === undefined || parseRunMode(word) !== undefined) return;
  throw new UsageError(
    `${where}: there is no run mode "${word}"`,
    `Use ${MODES.slice(0, -1).join(', ')} or ${MODES.at(-1)}.`,
  );
}

const MODES = Object.keys(RUN_MODES);

/** Asks until the answer is a mode; an empty one takes the default. */
async function choice(ask: NonNullable<Streams['ask']>, saved: RunMode): Promise<string> {
  for (let tries = 0; tries < 3; tries += 1) {
    const answer = await ask(`Run mode: ${MODES.join(', ')} [${saved}]? `);
    if (answer.trim() === '') return saved;
    if (parseRunMode(answer) !== undefined) return answer;
  }
  throw new UsageError(
    'no run mode was chosen',
    `Answer with ${MODES.join(', ')}, or give --run-mode.`,
  );
}

/** The workers of a run: a mode only lowers what was asked for, or the default. */
export const workersFor = (
  { mode }: Pick<ResolvedRunMode, 'mode'>,
  asked: number = DEFAULTS.maxWorkers,
): number => workersOf(mode, asked) ?? asked;
