import { type TaskId, taskKey } from '@atelier/engine';
import type { JsonValue } from '@atelier/envelope';
import { displayText, jsonText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { noSuchRow } from '../error.ts';
import { withEvidence } from '../evidence.ts';
import type { AttemptRow, TaskRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import { type AttemptKey, attemptKey } from './attempt-key.ts';
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

type Completion = AttemptKey & Pick<AttemptRow, 'evidence_json'>;

const evidenceOfAttempt = statement((tables, slot: Slot<AttemptKey>) =>
  tables
    .selectFrom('attempts')
    .select('evidence_json')
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

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

/** `task.completed`: the task is done, and so is the attempt that did it. Its evidence adds to what there is. */
export function completeTask(connection: Connection, event: EventOf<'task.completed'>): void {
  markTask(connection, event, 'complete', { closed_at: displayText(event.at) });
  const key = attemptKey(event);
  const evidence_json = evidenceWith(connection, key, event.evidence);
  connection.change(completeAttempt, { evidence_json, ...key });
}

/** Null where there is nothing to add. */
function evidenceWith(
  connection: Connection,
  key: AttemptKey,
  added: JsonValue | undefined,
): string | null {
  if (added === undefined) return null;
  const [row] = connection.rows(evidenceOfAttempt, key);
  const known: JsonValue = JSON.parse(row?.evidence_json ?? 'null');
  return jsonText(withEvidence(known, added));
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
