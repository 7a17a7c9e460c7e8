import { type TaskId, taskKey } from '@atelier/engine';
import { keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import { noSuchRow, StoreError } from './error.ts';
import type { TaskRow } from './schema.ts';
import { type Slot, statement } from './statement.ts';

type TaskName = Pick<TaskRow, 'run_id' | 'task_key'>;

const statusOfTask = statement((tables, slot: Slot<TaskName>) =>
  tables
    .selectFrom('tasks')
    .select('status')
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key')),
);

const stampAcknowledgement = statement(
  (tables, slot: Slot<TaskName & Pick<TaskRow, 'abandoned_ack_at'>>) =>
    tables
      .updateTable('tasks')
      .set((column) => ({
        abandoned_ack_at: column.fn.coalesce('abandoned_ack_at', slot('abandoned_ack_at')),
      }))
      .where('run_id', '=', slot('run_id'))
      .where('task_key', '=', slot('task_key')),
);

/**
 * Stamps that a person has seen a task's escalation; the first stamp stays. Throws `STORE_NO_SUCH_TASK`,
 * or `STORE_NOT_ESCALATED` for a task that is neither abandoned nor held.
 */
export function acknowledge(connection: Connection, runId: string, taskId: TaskId): void {
  const name = { run_id: keyText(runId), task_key: keyText(taskKey(taskId)) };
  connection.atomically(() => {
    const [task] = connection.rows(statusOfTask, name);
    if (!task) throw noSuchRow('task', runId, String(taskId));
    if (task.status !== 'abandoned' && task.status !== 'held')
      throw notEscalated(taskId, task.status);
    const abandoned_ack_at = new Date().toISOString();
    connection.change(stampAcknowledgement, { ...name, abandoned_ack_at });
  });
}

const notEscalated = (taskId: TaskId, status: string): StoreError =>
  new StoreError(
    'STORE_NOT_ESCALATED',
    `task ${taskId} is ${status}: there is nothing to acknowledge`,
    'Only a task that was abandoned or held waits for an acknowledgement.',
  );
