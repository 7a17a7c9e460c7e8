import { taskKey } from '@atelier/engine';
import { displayText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { TaskRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';
import { markTask } from './task.ts';

type Origin = Pick<TaskRow, 'run_id' | 'task_key' | 'replayed_run_id' | 'replayed_attempt'>;

const nameOrigin = statement((tables, slot: Slot<Origin>) =>
  tables
    .updateTable('tasks')
    .set({
      replayed_run_id: slot('replayed_run_id'),
      replayed_attempt: slot('replayed_attempt'),
    })
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key')),
);

/** `task.replayed`: complete by what an earlier attempt has merged; no attempt of its own was charged. */
export function replayTask(connection: Connection, event: EventOf<'task.replayed'>): void {
  markTask(connection, event, 'complete', { closed_at: displayText(event.at) });
  connection.change(nameOrigin, {
    run_id: keyText(event.runId),
    task_key: keyText(taskKey(event.taskId)),
    replayed_run_id: keyText(event.from.runId),
    replayed_attempt: event.from.attempt,
  });
}
