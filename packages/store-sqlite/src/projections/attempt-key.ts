import { type TaskId, taskKey } from '@atelier/engine';
import { keyText } from '../column-text.ts';
import { noSuchRow, type StoreError } from '../error.ts';
import type { AttemptRow } from '../schema.ts';

/** The columns that name an attempt. */
export type AttemptKey = Pick<AttemptRow, 'run_id' | 'task_key' | 'attempt'>;

interface OfAttempt {
  readonly runId: string;
  readonly taskId: TaskId;
  readonly attempt: number;
}

/**
 * The attempt that an event is about, as its columns. To be spread after the other columns: a literal that begins with a
 * spread and grows is of a hidden class of its own each time, and ten times as dear.
 */
export const attemptKey = ({ runId, taskId, attempt }: OfAttempt): AttemptKey => ({
  run_id: keyText(runId),
  task_key: keyText(taskKey(taskId)),
  attempt,
});

export const noSuchAttempt = ({ runId, taskId, attempt }: OfAttempt): StoreError =>
  noSuchRow('attempt', runId, `${attempt} of task ${taskId}`);
