import type { Clock } from '@atelier/engine';
import type { Agent } from './agent.ts';
import { CliTransportError } from './cli-error.ts';
import type { Confinement } from './confinement.ts';
import { bootId, machineClock } from './machine-clock.ts';
import { backstopTimer, lockProgram } from './system-programs.ts';

/** What one worker may use up, beside its wall clock. */
export interface Limits {
  /** Standard output, and standard error too; a worker that writes more is ended. 32 MiB when absent. */
  readonly stdoutBytes: number;
  /** How much of the end of standard error is read. 64 KiB when absent. */
  readonly stderrTailBytes: number;
  /** The reply file. 8 MiB when absent. */
  readonly replyBytes: number;
  /** How long a process may stay quiet after its complete reply before it is ended. 10,000 when absent. */
  readonly drainMs: number;
  /** Between asking a worker to end and ending it. 3,000 when absent. */
  readonly graceMs: number;
  /** How long after its wall clock a worker ends by itself when no host lives. 60,000 when absent. */
  readonly orphanGraceMs: number;
}

export interface CliTransportOptions {
  readonly agent: Agent;
  readonly confinement: Confinement;
  /** The state folder of this run, outside any clone; made if it is not there. An absolute path. */
  readonly runDir: string;
  /** The engine's; `now` must be the same for both. */
  readonly clock?: Clock;
  readonly limits?: Partial<Limits>;
  /** Told what weakens a promise on this machine. What it throws is swallowed. */
  readonly onWarning?: (message: string) => void;
}

const DEFAULT_LIMITS: Limits = Object.freeze({
  stdoutBytes: 32 * 1024 * 1024,
  stderrTailBytes: 64 * 1024,
  replyBytes: 8 * 1024 * 1024,
  drainMs: 10_000,
  graceMs: 3_000,
  orphanGraceMs: 60_000,
});

/** The options with nothing left open. */
export interface Settings {
  readonly agent: Agent;
  readonly confinement: Confinement;
  readonly runDir: string;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly warn: (message: string) => void;
  /** Absolute paths; undefined where the machine has none. */
  readonly timeout: () => string | undefined;
  readonly flock: () => string | undefined;
  /** Names this boot of the machine. No option: only a test is ever in another one. */
  readonly bootId: () => string | undefined;
}

/** Throws `INVALID_LIMIT` for a limit that is not a finite number of at least 0. */
export function settingsOf(options: CliTransportOptions): Settings {
  const { agent, confinement, runDir, clock = machineClock, onWarning } = options;
  const limits = limitsOf(options.limits);
  const warn = warnerOf(onWarning);
  const programs = { timeout: backstopTimer(warn), flock: lockProgram(warn) };
  return { agent, confinement, runDir, clock, limits, warn, ...programs, bootId };
}

/** Throws `INVALID_LIMIT`. */
export function limitsOf(given: Partial<Limits> | undefined): Limits {
  const limits: Limits = { ...DEFAULT_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits))
    if (!(Number.isFinite(value) && value >= 0))
      throw new CliTransportError(
        'INVALID_LIMIT',
        `limits.${name} is ${String(value)}`,
        'Give a number of bytes or milliseconds, at least 0.',
      );
  return limits;
}

/** Tells a listener, and lets nothing come back. */
export const warnerOf =
  (onWarning: CliTransportOptions['onWarning']): Settings['warn'] =>
  (message) => {
    try {
      onWarning?.(message);
    } catch {
      // A warning changes nothing, and neither does its listener.
    }
  };
