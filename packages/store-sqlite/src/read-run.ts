import { keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import { readAttempts, readEscalations, readTasks } from './read.ts';
import type { Schema } from './schema.ts';
import { type Slot, type Statement, statement } from './statement.ts';

/** The tables that follow from the events; those of the team do not, and are in a schema of their own. */
export type ToldTable = Exclude<keyof Schema, 'events'>;

/** A row of any of them, with whichever of these columns its table has. */
export interface ToldRow {
  readonly run_id: string;
  readonly task_key?: string;
  readonly attempt?: number;
  readonly abandoned_ack_at?: string | null;
}

interface OfRun {
  readonly run_id: string;
}

const run = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('runs').selectAll().where('run_id', '=', slot('run_id')),
);

const edges = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('edges').selectAll().where('run_id', '=', slot('run_id')),
);

const paths = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('task_paths').selectAll().where('run_id', '=', slot('run_id')),
);

const stages = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('attempt_stages').selectAll().where('run_id', '=', slot('run_id')),
);

const changes = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('changes').selectAll().where('run_id', '=', slot('run_id')),
);

const products = statement((tables, slot: Slot<OfRun>) =>
  tables.selectFrom('products').selectAll().where('run_id', '=', slot('run_id')),
);

const readBy =
  <Row extends ToldRow>(of: Statement<OfRun, Row>) =>
  (connection: Connection, runId: string): readonly ToldRow[] =>
    connection.rows(of, { run_id: keyText(runId) });

/** Every row that a table has of a run. */
export const READERS: {
  readonly [table in ToldTable]: (connection: Connection, runId: string) => readonly ToldRow[];
} = {
  runs: readBy(run),
  tasks: readTasks,
  edges: readBy(edges),
  task_paths: readBy(paths),
  attempts: readAttempts,
  attempt_stages: readBy(stages),
  changes: readBy(changes),
  products: readBy(products),
  escalations: readEscalations,
};

/** The runs, by their column, of which any table has a row. */
export const runsTold: Statement<object, OfRun> = statement((tables, _slot: Slot<object>) =>
  tables
    .selectFrom('events')
    .select('run_id')
    .union(tables.selectFrom('runs').select('run_id'))
    .union(tables.selectFrom('tasks').select('run_id'))
    .union(tables.selectFrom('edges').select('run_id'))
    .union(tables.selectFrom('task_paths').select('run_id'))
    .union(tables.selectFrom('attempts').select('run_id'))
    .union(tables.selectFrom('attempt_stages').select('run_id'))
    .union(tables.selectFrom('changes').select('run_id'))
    .union(tables.selectFrom('products').select('run_id'))
    .union(tables.selectFrom('escalations').select('run_id'))
    .orderBy('run_id'),
);
