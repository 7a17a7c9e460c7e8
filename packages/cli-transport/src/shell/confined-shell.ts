import { type Bridge, bridgeFiles } from '../bridge.ts';
import type { Access } from '../command-wrap.ts';
import { assertReallyConfined } from '../gate.ts';
import { machineClock } from '../machine-clock.ts';
import { type CliTransportOptions, limitsOf, warnerOf } from '../options.ts';
import { backstopTimer } from '../system-programs.ts';
import { endCommands } from './end-commands.ts';
import { runCommand } from './run-command.ts';
import type { Shell } from './shell-call.ts';

export interface ConfinedShellOptions extends Omit<CliTransportOptions, 'agent'> {
  /** What commands may read beside the worktree and the system's programs. Absolute paths. */
  readonly read?: readonly string[];
  /** Unix sockets of the host, and where they appear to commands. */
  readonly sockets?: Access['sockets'];
  /** Ports at which commands find a socket. */
  readonly bridges?: readonly Bridge[];
  /** Added to the clean environment of a command; HOME stays its own. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs commands of a plan behind the walls that its workers have, each with an empty HOME of its own and without
 * network but for the bridges. Throws `UNSANDBOXED_REAL_RUN`, for a fake runner too, `INVALID_LIMIT`, or
 * `SOCAT_NOT_FOUND` for a bridge. Of the limits `graceMs` and `orphanGraceMs` count. Commands that a host which is gone
 * has left in the run's folder are ended before the first one runs: only for whoever holds the run's lock.
 */
export function confinedShell(options: ConfinedShellOptions): Shell {
  const { confinement, runDir, clock = machineClock, onWarning } = options;
  const { read = [], sockets = [], bridges = [], env = {} } = options;
  assertReallyConfined(confinement);
  bridgeFiles(bridges);
  const limits = limitsOf(options.limits);
  const warn = warnerOf(onWarning);
  const reach = { read, sockets, bridges, env };
  const settings = { confinement, runDir, ...reach, clock, limits, warn };
  const timer = backstopTimer(warn);
  const { graceMs } = limits;
  const cleared = endCommands(runDir, { graceMs, clock, onlyOrphans: true, warn });
  return async (call) => {
    await cleared;
    return runCommand(call, { ...settings, timer });
  };
}
