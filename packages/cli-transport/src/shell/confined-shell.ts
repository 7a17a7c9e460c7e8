import { assertReallyConfined } from '../gate.ts';
import { machineClock } from '../machine-clock.ts';
import { type CliTransportOptions, limitsOf, warnerOf } from '../options.ts';
import { backstopTimer } from '../system-programs.ts';
import { runCommand } from './run-command.ts';
import type { Shell } from './shell-call.ts';

export interface ConfinedShellOptions extends Omit<CliTransportOptions, 'agent'> {
  /** What commands may read beside the worktree and the system's programs. Absolute paths. */
  readonly read?: readonly string[];
}

/**
 * Runs commands of a plan behind the walls that its workers have, each with an empty HOME of its own and without
 * network. Throws `UNSANDBOXED_REAL_RUN`, for a fake runner too, or `INVALID_LIMIT`. Of the limits `graceMs` and
 * `orphanGraceMs` count.
 */
export function confinedShell(options: ConfinedShellOptions): Shell {
  const { confinement, runDir, read = [], clock = machineClock, onWarning } = options;
  assertReallyConfined(confinement);
  const limits = limitsOf(options.limits);
  const warn = warnerOf(onWarning);
  const settings = { confinement, runDir, read, clock, limits, warn, timer: backstopTimer(warn) };
  return (call) => runCommand(call, settings);
}
