import { parseRunMode, type ResolvedRunMode, resolveRunMode, workersOf } from '@atelier/budget';
import { DEFAULTS } from '@atelier/engine';
import { UsageError } from '../command.ts';
import type { Environment } from '../environment.ts';

/** The run mode of a command line, never asked for. Throws a {@link UsageError} for one that does not exist. */
export function runModeOf(
  asked: string | undefined,
  { runMode: env }: Environment,
): ResolvedRunMode {
  if (asked !== undefined && parseRunMode(asked) === undefined)
    throw new UsageError(
      `there is no run mode "${asked}"`,
      'Use cost-lean, balanced or quality-lean.',
    );
  return resolveRunMode({ explicit: asked, env });
}

/** The workers of a run: a mode only lowers what was asked for, or the default. */
export const workersFor = (
  { mode }: ResolvedRunMode,
  asked: number = DEFAULTS.maxWorkers,
): number => workersOf(mode, asked) ?? asked;
