import { sql } from 'kysely';
import { keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import type {
  AttemptRow,
  ChangeRow,
  EscalationRow,
  ProductRow,
  RunRow,
  StageRow,
  TaskRow,
} from './schema.ts';
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

interface OfTask extends OfRun {
  readonly task_key: string;
}

const attemptsOfTask = statement((tables, slot: Slot<OfTask>) =>
  tables
    .selectFrom('attempts')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .orderBy('attempt'),
);

const stagesOfTask = statement((tables, slot: Slot<OfTask>) =>
  tables
    .selectFrom('attempt_stages')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .orderBy('attempt')
    .orderBy(sql`rowid`),
);

const changesOfTask = statement((tables, slot: Slot<OfTask>) =>
  tables
    .selectFrom('changes')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .orderBy('attempt')
    .orderBy('position'),
);

const productsOfTask = statement((tables, slot: Slot<OfTask>) =>
  tables
    .selectFrom('products')
    .selectAll()
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .orderBy('attempt')
    .orderBy('path'),
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

/** The stages that the attempts of a task have passed, by attempt, in the order of the checks. */
export const readStages = (connection: Connection, runId: string, taskKey: string): StageRow[] =>
  connection.rows(stagesOfTask, { run_id: keyText(runId), task_key: keyText(taskKey) });

/** The files that the attempts of a task changed, by attempt, in the order of the evidence. */
export const readChanges = (connection: Connection, runId: string, taskKey: string): ChangeRow[] =>
  connection.rows(changesOfTask, { run_id: keyText(runId), task_key: keyText(taskKey) });

/** The files that the attempts of a task produced, by attempt and path. */
export const readProducts = (
  connection: Connection,
  runId: string,
  taskKey: string,
): ProductRow[] =>
  connection.rows(productsOfTask, { run_id: keyText(runId), task_key: keyText(taskKey) });

/** The escalations of a run in the order they were raised. */
export const readEscalations = (connection: Connection, runId: string): EscalationRow[] =>
  connection.rows(escalationsOfRun, { run_id: keyText(runId) });
