import { pairReviews, taskKey } from '@atelier/engine';
import { keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { TaskRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';

type Checked = Pick<TaskRow, 'run_id' | 'task_key' | 'status'>;

/** Tasks whose work is checked and not merged, each with what its last attempt reviewed. */
const checkedTasks = statement((tables, slot: Slot<Pick<TaskRow, 'run_id'>>) =>
  tables
    .selectFrom('tasks')
    .leftJoin('attempts', (join) =>
      join
        .onRef('attempts.run_id', '=', 'tasks.run_id')
        .onRef('attempts.task_key', '=', 'tasks.task_key')
        .onRef('attempts.attempt', '=', 'tasks.attempts'),
    )
    .select(['tasks.task_key', 'tasks.status', 'attempts.reviews_key'])
    .where('tasks.run_id', '=', slot('run_id'))
    .where('tasks.status', 'in', ['accepted', 'reviewing']),
);

const setStatus = statement((tables, slot: Slot<Checked>) =>
  tables
    .updateTable('tasks')
    .set({ status: slot('status') })
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key')),
);

/**
 * A changed plan says anew who reviews whom: an approval of somebody else's work counts no more, and checked work
 * waits for whoever has to approve it now. As in the engine's own state.
 */
export function pairAnew(connection: Connection, event: EventOf<'plan.taken'>): void {
  const run_id = keyText(event.runId);
  const { authors, reviewers } = pairReviews(event.tasks);
  const checked = new Map(
    connection.rows(checkedTasks, { run_id }).map(({ task_key, ...row }) => [task_key, row]),
  );
  const approves = (reviewer: string): boolean => {
    const row = checked.get(keyText(reviewer));
    const author = authors.get(reviewer);
    return (
      row?.status === 'accepted' && author !== undefined && row.reviews_key === keyText(author)
    );
  };
  const anew = (key: string, status: Checked['status']): Checked['status'] => {
    if (!authors.has(key))
      return (reviewers.get(key) ?? []).every(approves) ? 'accepted' : 'reviewing';
    return status !== 'accepted' || approves(key) ? status : 'pending';
  };
  for (const { id } of event.tasks) {
    const key = taskKey(id);
    const task_key = keyText(key);
    const row = checked.get(task_key);
    if (row) connection.change(setStatus, { run_id, task_key, status: anew(key, row.status) });
  }
}
