import type { BarrierCost, Escalation, RunEvent, Verdict } from '@atelier/engine';
import { type BarrierRecord, barrierRecord } from './barrier-record.ts';
import { jsonLine } from './json-line.ts';

/**
 * Each event as one line of JSON, but for `run.finished`: the last line of a run has that type and more in it, and a
 * reader must not meet two. Whoever composes the run writes it with {@link finishedRecord} when the run has returned,
 * or was refused.
 */
export const ndjsonReporter =
  ({ write }: { readonly write: (text: string) => void }): ((event: RunEvent) => void) =>
  (event) => {
    if (event.type !== 'run.finished') write(jsonLine(event));
  };

/** The last line of a run that is told as NDJSON. Wire format: the keys are documented; they grow by optional ones only. */
export interface FinishedRecord {
  readonly type: 'run.finished';
  readonly verdict: Verdict | 'refused';
  readonly results: readonly unknown[];
  readonly escalations: readonly Escalation[];
  /** The branch that took the merged work over. */
  readonly merged?: string;
  /** Why the branch that should have taken it over did not. */
  readonly not_merged?: string;
  /** Why the run has not begun, although it was not refused: it is started again, and not resumed. */
  readonly not_begun?: string;
  /** Absent for a run without barriers. */
  readonly barrier?: BarrierRecord;
}

/** The last line of a run, to be written with `jsonLine`; a refused run has no results and no escalations. */
export const finishedRecord = (
  {
    verdict,
    escalations = [],
    merged,
    notMerged,
    notBegun,
    barrier,
  }: {
    readonly verdict: Verdict | 'refused';
    readonly escalations?: readonly Escalation[];
    readonly merged?: string;
    readonly notMerged?: string;
    readonly notBegun?: string;
    readonly barrier?: BarrierCost | undefined;
  },
  results: readonly unknown[] = [],
): FinishedRecord => ({
  type: 'run.finished',
  verdict,
  results,
  escalations,
  ...(merged === undefined ? {} : { merged }),
  ...(notMerged === undefined ? {} : { not_merged: notMerged }),
  ...(notBegun === undefined ? {} : { not_begun: notBegun }),
  ...(barrier ? { barrier: barrierRecord(barrier) } : {}),
});
