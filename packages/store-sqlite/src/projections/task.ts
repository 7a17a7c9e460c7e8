import { type TaskId, taskKey } from '@atelier/engine';
import { displayText, keyText, optionalJsonText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { noSuchRow } from '../error.ts';
import type { AttemptRow, TaskRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';

type Mark = Pick<
  TaskRow,
  'run_id' | 'task_key' | 'status' | 'closed_at' | 'abandon_category' | 'upstream_key'
>;

const markStatus = statement((tables, slot: Slot<Mark>) =>
  tables
    .updateTable('tasks')
    .set({
      status: slot('status'),
      closed_at: slot('closed_at'),
      abandon_category: slot('abandon_category'),
      upstream_key: slot('upstream_key'),
    })
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key')),
);

type Completion = Pick<AttemptRow, 'run_id' | 'task_key' | 'attempt' | 'evidence_json'>;

const completeAttempt = statement((tables, slot: Slot<Completion>) =>
  tables
    .updateTable('attempts')
    .set((column) => ({
      ending: 'done',
      evidence_json: column.fn.coalesce(slot('evidence_json'), 'evidence_json'),
    }))
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

interface OfTask {
  readonly runId: string;
  readonly taskId: TaskId;
}

/** Sets where a task stands. Throws `STORE_NO_SUCH_TASK` when the run has none of that id. */
export function markTask(
  connection: Connection,
  { runId, taskId }: OfTask,
  status: TaskRow['status'],
  closing: Partial<Omit<Mark, 'run_id' | 'task_key' | 'status'>> = {},
): void {
  const changed = connection.change(markStatus, {
    run_id: keyText(runId),
    task_key: keyText(taskKey(taskId)),
    status,
    closed_at: closing.closed_at ?? null,
    abandon_category: closing.abandon_category ?? null,
    upstream_key: closing.upstream_key ?? null,
  });
  if (changed === 0) throw noSuchRow('task', runId, String(taskId));
}

/** `task.completed`: the task is done, and so is the attempt that did it. */
export function completeTask(connection: Connection, event: EventOf<'task.completed'>): void {
  markTask(connection, event, 'complete', { closed_at: displayText(event.at) });
  connection.change(completeAttempt, {
    run_id: keyText(event.runId),
    task_key: keyText(taskKey(event.taskId)),
    attempt: event.attempt,
    evidence_json: optionalJsonText(event.evidence),
  });
}

/** `task.abandoned`: why, and by which upstream. */
export function abandonTask(connection: Connection, event: EventOf<'task.abandoned'>): void {
  markTask(connection, event, 'abandoned', {
    closed_at: displayText(event.at),
    abandon_category: event.category,
    upstream_key: event.upstreamId === null ? null : keyText(taskKey(event.upstreamId)),
  });
}

/** `task.held`: closed until a person answers. */
export function holdTask(connection: Connection, event: EventOf<'task.held'>): void {
  markTask(connection, event, 'held', { closed_at: displayText(event.at) });
}
