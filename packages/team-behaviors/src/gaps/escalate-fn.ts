import { printable } from '@atelier/envelope';
import type { GapLatch } from './gap-latch.ts';

/** What of an escalation is read here; an engine's has more. Its texts are untrusted. */
export interface EscalatedTask {
  readonly task_id: string | number;
  readonly worker: string | null;
  readonly category: string;
  readonly last_status: string;
  /** The run stopped at this task, which has not ended. */
  readonly scope?: 'run';
}

export interface EscalateOptions<E extends EscalatedTask> {
  readonly latch: GapLatch;
  /** Gets every escalation, and before anything else. By default a warning on the console. */
  readonly sink?: (escalation: E, key: string) => unknown;
  /** Told when the ledger could not book a gap. Default a warning on the console; what it throws is dropped. */
  readonly onLedgerFailure?: (error: unknown, escalation: E) => unknown;
}

/**
 * A sink for an engine that also books each task's gap. The given sink comes first, always, on every call; the ledger is
 * an addition that can not suppress it, delay it or fail for it. What the given sink throws is thrown once the gap is
 * booked, and a promise it gives is given on, so that an engine tries again what was not taken.
 *
 * A stopped run is no gap of the task it stopped at: booked as one, it would silence the task's own.
 */
export function escalateFn<E extends EscalatedTask>(
  options: EscalateOptions<E>,
): (escalation: E, key: string) => unknown {
  const { latch, sink = warn, onLedgerFailure = warnOfLedger } = options;
  return (escalation, key) => {
    try {
      return sink(escalation, key);
    } finally {
      try {
        if (escalation.scope !== 'run') latch.escalate(gapOf(escalation));
      } catch (error) {
        tell(() => onLedgerFailure(error, escalation));
      }
    }
  };
}

const gapOf = ({ task_id, worker, category, last_status }: EscalatedTask) => ({
  kind: 'task-abandon' as const,
  taskId: task_id,
  category,
  description: `task ${printable(task_id)} was abandoned: category ${printable(category)}, last status ${printable(last_status, 500)}, worker ${printable(worker ?? '-')}`,
});

/** Also what fails later is dropped: there is nobody left to tell. */
function tell(call: () => unknown): void {
  try {
    Promise.resolve(call()).catch(() => undefined);
  } catch {
    // Nobody is left to tell.
  }
}

function warn({ task_id, worker, category, last_status }: EscalatedTask): void {
  const parts = { task: task_id, worker: worker ?? '-', category, last_status };
  const told = Object.entries(parts).map(([name, value]) => `${name}=${printable(value)}`);
  console.warn(`WARNING escalation ${told.join(' ')}`);
}

function warnOfLedger(error: unknown, { task_id }: EscalatedTask): void {
  console.warn(
    `WARNING the ledger has no row for the escalation of task ${printable(task_id)}: ${printable(error)}`,
  );
}
