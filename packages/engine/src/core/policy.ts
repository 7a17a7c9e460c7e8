import { EngineError } from './error.ts';

/** The caps of a run that nobody set: five workers, five attempts, thirty minutes, a scan every 0.2 s. */
export const DEFAULTS: {
  readonly maxWorkers: 5;
  readonly maxAttempts: 5;
  readonly wallClockMs: 1_800_000;
  readonly pollIntervalMs: 200;
} = Object.freeze({ maxWorkers: 5, maxAttempts: 5, wallClockMs: 1_800_000, pollIntervalMs: 200 });

/** What a run may do. Everything is optional on the way in and frozen after {@link checkPolicy}. */
export interface Policy {
  /** Attempts in flight at once. */
  readonly maxWorkers: number;
  /** Dispatches per task, earlier runs included. More than five needs `raiseCaps`. */
  readonly maxAttempts: number;
  /** From the charge to the confirming read, spawn included. More than thirty minutes needs `raiseCaps`. */
  readonly wallClockMs: number;
  /** What a valid `blocked` or `needs-input` reply means: dispatch again, or close the task as held. */
  readonly onHeld: 'retry' | 'close';
  /** Silence after which a worker is looked at, and stopped only if it still has nothing to show. Off when absent. */
  readonly stallMs?: number;
  /** So many failures of one kind in a row, across tasks, park the run. Off when absent. */
  readonly breakAfter?: number;
  /**
   * `parallel`, when absent: each wave as a whole. `pipeline`: a task starts when its upstreams are merged and everything
   * that is not proved independent of it has ended. A run keeps the one it has until a changed plan is taken.
   */
  readonly schedule?: 'parallel' | 'pipeline';
  /** States that caps above the defaults are meant. */
  readonly raiseCaps: boolean;
}

/** Fills in the defaults. Throws `INVALID_POLICY` naming every value out of range. */
export function checkPolicy(given: Partial<Policy> = {}): Policy {
  const policy = {
    maxWorkers: given.maxWorkers ?? DEFAULTS.maxWorkers,
    maxAttempts: given.maxAttempts ?? DEFAULTS.maxAttempts,
    wallClockMs: given.wallClockMs ?? DEFAULTS.wallClockMs,
    onHeld: given.onHeld ?? 'retry',
    raiseCaps: given.raiseCaps ?? false,
    ...(given.stallMs === undefined ? {} : { stallMs: given.stallMs }),
    ...(given.breakAfter === undefined ? {} : { breakAfter: given.breakAfter }),
    ...(given.schedule === undefined ? {} : { schedule: given.schedule }),
  };
  const faults = [...policyFaults(policy)];
  if (faults.length > 0) {
    throw new EngineError(
      'INVALID_POLICY',
      `policy refused: ${faults.join('; ')}`,
      'Lower the value, or set raiseCaps to state that a cap above the default is meant.',
    );
  }
  return Object.freeze(policy);
}

function* policyFaults(policy: Policy): Generator<string> {
  const { maxWorkers, maxAttempts, wallClockMs, stallMs, onHeld, breakAfter, raiseCaps } = policy;
  const { schedule = 'parallel' } = policy;
  if (!isCount(maxWorkers)) yield `maxWorkers must be an integer of at least 1, got ${maxWorkers}`;
  if (!isCount(maxAttempts))
    yield `maxAttempts must be an integer of at least 1, got ${maxAttempts}`;
  else if (maxAttempts > DEFAULTS.maxAttempts && !raiseCaps)
    yield `maxAttempts ${maxAttempts} is above ${DEFAULTS.maxAttempts} without raiseCaps`;
  if (!isDuration(wallClockMs))
    yield `wallClockMs must be a finite number of at least 1000, got ${wallClockMs}`;
  else if (wallClockMs > DEFAULTS.wallClockMs && !raiseCaps)
    yield `wallClockMs ${wallClockMs} is above ${DEFAULTS.wallClockMs} without raiseCaps`;
  if (stallMs !== undefined && !isDuration(stallMs))
    yield `stallMs must be a finite number of at least 1000, got ${stallMs}`;
  if (breakAfter !== undefined && !(isCount(breakAfter) && breakAfter >= 2))
    yield `breakAfter must be an integer of at least 2, got ${breakAfter}`;
  if (onHeld !== 'retry' && onHeld !== 'close')
    yield `onHeld must be retry or close, got ${onHeld}`;
  if (schedule !== 'parallel' && schedule !== 'pipeline')
    yield `schedule must be parallel or pipeline, got ${schedule}`;
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

const isDuration = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 1000;
