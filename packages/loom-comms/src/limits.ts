/** How long and how much. Durations in milliseconds. */
export interface LoomLimits {
  /** One call. */
  readonly callMs: number;
  /** All that one of a run's functions does: kickoff, teardown, a post. */
  readonly phaseMs: number;
  /** How long teardown lets what still waits be said. */
  readonly drainMs: number;
  /** Failures in a row after which the chat is off for the rest of the run. */
  readonly failures: number;
  /** How often sessions tell that they are alive; the server ends those unseen for five minutes. */
  readonly keepaliveMs: number;
  /** Sessions of one run; a server has a hundred for everyone. */
  readonly sessions: number;
  /** Posts that may wait for their turn. */
  readonly waiting: number;
}

export const LOOM_LIMITS: LoomLimits = Object.freeze({
  callMs: 3_000,
  phaseMs: 10_000,
  drainMs: 3_000,
  failures: 3,
  keepaliveMs: 120_000,
  sessions: 32,
  waiting: 256,
});
