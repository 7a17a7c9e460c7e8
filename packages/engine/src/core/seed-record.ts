import type { Reply } from '@atelier/envelope';
import { closureStatus } from './closure.ts';
import type { Outcome } from './outcome.ts';
import type { TaskId } from './task.ts';

/** An abandonment that the engine made: a spent budget or a lost upstream. */
export interface StructuredAbandon {
  readonly _engine_abandon: true;
  readonly type: null;
  readonly status: 'abandoned';
  readonly category: 'blocked' | 'capacity';
  readonly upstream_task_id: TaskId | null;
  readonly task_id: TaskId;
  readonly last_status: string;
}

/** The last attempt of a task that did not close and may be tried again. */
export interface FailedAttempt {
  readonly _failed_attempt: true;
  readonly type: null;
  readonly task_id: TaskId;
  readonly attempt: number;
  readonly reason: string;
}

/** A task that a parked or interrupted run has not ended. */
export interface PendingTask {
  readonly _pending: true;
  readonly type: null;
  readonly task_id: TaskId;
  readonly attempt: number;
}

/** The flat shape of one outcome: a worker's validated envelope, or one of our own records. */
export type SeedRecord = Reply | StructuredAbandon | FailedAttempt | PendingTask;

/** Our own records, by identity: a worker's JSON can copy every key of them and is still not one. */
const minted = new WeakSet<object>();

const mint = <T extends object>(record: T): T => {
  minted.add(record);
  return Object.freeze(record);
};

/** Flattens an outcome. The records are plain JSON; the guards know only those minted in this process. */
export function toSeedRecord(outcome: Outcome): SeedRecord {
  const { taskId: task_id, attempts: attempt } = outcome;
  switch (outcome.kind) {
    case 'done':
    case 'worker-abandon':
    case 'held':
      return outcome.reply;
    case 'engine-abandon':
      return mint<StructuredAbandon>({
        _engine_abandon: true,
        type: null,
        status: 'abandoned',
        category: outcome.category,
        upstream_task_id: outcome.upstreamId,
        task_id,
        last_status: outcome.lastStatus,
      });
    case 'failed-attempt':
      return mint<FailedAttempt>({
        _failed_attempt: true,
        type: null,
        task_id,
        attempt,
        reason: closureStatus(outcome.closure),
      });
    case 'pending':
      return mint<PendingTask>({ _pending: true, type: null, task_id, attempt });
  }
}

/** True for a task that ended abandoned, by its worker or by the engine. */
export const isAbandonedResult = (record: SeedRecord): record is Reply | StructuredAbandon =>
  isStructuredAbandon(record) || (record.type === 'task_result' && record.status === 'abandoned');

/** True only for an abandonment that {@link toSeedRecord} minted. */
export const isStructuredAbandon = (record: unknown): record is StructuredAbandon =>
  isMinted(record) && '_engine_abandon' in record;

/** True only for a failed attempt that {@link toSeedRecord} minted. */
export const isFailedAttempt = (record: unknown): record is FailedAttempt =>
  isMinted(record) && '_failed_attempt' in record;

const isMinted = (record: unknown): record is object =>
  typeof record === 'object' && record !== null && minted.has(record);
