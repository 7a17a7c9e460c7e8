import { type Closure, canonicalInstant, type Task, taskKey } from '@atelier/engine';
import { displayText, keyText } from '../column-text.ts';
import type { TaskRow } from '../schema.ts';
import { type Slot, type Statement, statement } from '../statement.ts';

/** The columns of a task that its plan decides. */
export type PlannedTask = Omit<
  TaskRow,
  | 'last_attempt_at'
  | 'closed_at'
  | 'upstream_key'
  | 'abandoned_ack_at'
  | 'replayed_run_id'
  | 'replayed_attempt'
>;

/** Adds a task as planned. */
export const insertTask: Statement<PlannedTask, unknown> = statement(
  (tables, slot: Slot<PlannedTask>) =>
    tables.insertInto('tasks').values({
      run_id: slot('run_id'),
      task_key: slot('task_key'),
      id: slot('id'),
      position: slot('position'),
      title: slot('title'),
      parallel_group: slot('parallel_group'),
      created_at: slot('created_at'),
      assigned_persona: slot('assigned_persona'),
      status: slot('status'),
      attempts: slot('attempts'),
      abandon_category: slot('abandon_category'),
    }),
);

type Replanned = Omit<PlannedTask, 'status' | 'attempts' | 'abandon_category'>;

/** Changes what a plan says of a task, and nothing of what has become of it. */
export const replanTask: Statement<Replanned, unknown> = statement(
  (tables, slot: Slot<Replanned>) =>
    tables
      .updateTable('tasks')
      .set({
        id: slot('id'),
        position: slot('position'),
        title: slot('title'),
        parallel_group: slot('parallel_group'),
        created_at: slot('created_at'),
        assigned_persona: slot('assigned_persona'),
      })
      .where('run_id', '=', slot('run_id'))
      .where('task_key', '=', slot('task_key')),
);

/** Sorts after every instant, as the engine sorts a task without one. */
const NO_INSTANT = '~';

/**
 * A plan's task as its row. Closed tasks may carry anything a plan file can hold: what its column can not
 * is left out here and kept in the event.
 */
export function taskRow(run_id: string, position: number, task: Task): PlannedTask {
  const { id, parallel_group, created_at, attempts } = task;
  return {
    run_id,
    task_key: keyText(taskKey(id)),
    id: typeof id === 'string' ? keyText(id) : id,
    position,
    title: textOrNull(task.title),
    parallel_group: isInteger(parallel_group) ? parallel_group : null,
    created_at: canonicalInstant(created_at ?? '') ?? NO_INSTANT,
    assigned_persona: textOrNull(task.assigned_persona ?? task.assigned_to),
    status: statusOf(task),
    attempts: attempts ?? 0,
    abandon_category: categoryOf(task),
  };
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? displayText(value) : null;

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

const statusOf = ({ status }: Task): TaskRow['status'] =>
  status === 'complete' || status === 'abandoned' || status === 'held' ? status : 'pending';

type Category = Extract<Closure, { readonly kind: 'abandoned' }>['category'];

const CATEGORIES: { readonly [category in Category]: true } = {
  scope: true,
  blocked: true,
  conflict: true,
  capacity: true,
  stale_rules: true,
  no_consensus: true,
  destructive_rejected: true,
  tests_unrecoverable: true,
};

const categoryOf = ({ abandon_category }: Task): string | null =>
  abandon_category && Object.hasOwn(CATEGORIES, abandon_category) ? abandon_category : null;
