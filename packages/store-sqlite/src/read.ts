import { keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import type { AttemptRow, EscalationRow, RunRow, TaskRow } from './schema.ts';
import { type Slot, type Statement, statement } from './statement.ts';

interface OfRun {
  readonly run_id: string;
}

const allRuns = statement((tables, _slot: Slot<object>) =>
  tables.selectFrom('runs').selectAll().orderBy('started_at').orderBy('run_id'),
);

/** The tasks of a run in dispatch order, straight from the index. */
export const tasksOfRun: Statement<OfRun, TaskRow> = statement((tables, slot: Slot<OfRun>) =>
  tables
    .selectFrom('tasks')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .orderBy('parallel_group')
    .orderBy('created_at')
    .orderBy('id'),
);

const attemptsOfRun = statement((tables, slot: Slot<OfRun>) =>
  tables
    .selectFrom('attempts')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .orderBy('task_key')
    .orderBy('attempt'),
);

const attemptsOfTask = statement((tables, slot: Slot<OfRun & { readonly task_key: string }>) =>
  tables
    .selectFrom('attempts')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .orderBy('attempt'),
);

const escalationsOfRun = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('escalations').selectAll().where('run_id', '=', slot('run_id')).orderBy('seq'),
);

/** Every run, oldest first. */
export const readRuns = (connection: Connection): RunRow[] => connection.rows(allRuns, {});

/** The tasks of a run in dispatch order. */
export const readTasks = (connection: Connection, runId: string): TaskRow[] =>
  connection.rows(tasksOfRun, { run_id: keyText(runId) });

/** The attempts of a run or of one of its tasks, by task and number. */
export const readAttempts = (
  connection: Connection,
  runId: string,
  taskKey?: string,
): AttemptRow[] =>
  taskKey === undefined
    ? connection.rows(attemptsOfRun, { run_id: keyText(runId) })
    : connection.rows(attemptsOfTask, { run_id: keyText(runId), task_key: keyText(taskKey) });

/** The escalations of a run in the order they were raised. */
export const readEscalations = (connection: Connection, runId: string): EscalationRow[] =>
  connection.rows(escalationsOfRun, { run_id: keyText(runId) });
