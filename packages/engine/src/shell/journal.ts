import { EngineError } from '../core/error.ts';
import type { RunEvent } from '../core/event.ts';

/** The record of runs. What it took is durable; what it refused never happened. */
export interface Journal {
  /**
   * Appends one batch as one transaction. Rejects, having written nothing, when the batch does not
   * continue the run's sequence (`JOURNAL_CONFLICT`: another host writes this run) or can not be stored.
   */
  append(events: readonly RunEvent[]): Promise<void> | void;
  /** Every event of a run in order of `seq`; empty for a run that was never started. */
  load(runId: string): Promise<readonly RunEvent[]> | readonly RunEvent[];
}

/** The error of a journal whose run was continued by somebody else. */
export const journalConflict = (event: RunEvent, expected: number): EngineError =>
  new EngineError(
    'JOURNAL_CONFLICT',
    `run ${event.runId} continues at seq ${expected}, got ${event.seq} (${event.type})`,
    'Another host wrote to this run; only one may drive it.',
  );
