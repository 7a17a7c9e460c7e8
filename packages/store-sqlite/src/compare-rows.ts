import type { RunEvent } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type Connection, connection } from './connection.ts';
import { falseAcknowledgement } from './false-acknowledgement.ts';
import { sqliteJournal } from './journal.ts';
import { applyMigrations } from './migrate.ts';
import { MIGRATIONS } from './migration.ts';
import { team } from './migrations/0005-team.ts';
import { openDatabase } from './open-database.ts';
import { READERS, type ToldRow, type ToldTable } from './read-run.ts';
import { NO_TIP } from './tip.ts';

/** A row of a table that does not follow from the events. */
export interface ChangedRow {
  readonly table: ToldTable;
  readonly runId: string;
  /** Of a row that is a task’s. */
  readonly taskKey?: string;
  /** Of a row that is an attempt’s. */
  readonly attempt?: number;
  /** What else tells it from the rows beside it: a stage, a path, a place in a list, the key of an escalation. */
  readonly name?: string;
  readonly why: string;
}

/** The columns that tell the rows of a run apart. */
const KEYS: { readonly [table in ToldTable]: readonly string[] } = {
  runs: [],
  tasks: ['task_key'],
  edges: ['task_key', 'upstream_key'],
  task_paths: ['task_key', 'kind', 'position'],
  attempts: ['task_key', 'attempt'],
  attempt_stages: ['task_key', 'attempt', 'stage'],
  changes: ['task_key', 'attempt', 'position'],
  products: ['task_key', 'attempt', 'path'],
  escalations: ['key'],
};

/** No event tells of a team, and its tables are much of the work of making a store. */
const TOLD = MIGRATIONS.filter((migration) => migration !== team);

const TABLES = Object.keys(KEYS) as readonly ToldTable[];

/**
 * The rows of a run that differ from what its events give when they are told again, in a store of their own. Throws
 * what appending throws for events that make no run.
 */
export function changedRows(
  stored: Connection,
  runId: string,
  events: readonly RunEvent[],
): readonly ChangedRow[] {
  const database = openDatabase(':memory:', 0);
  try {
    applyMigrations(database, {}, TOLD);
    const told = connection(database);
    sqliteJournal(told, { tipFile: NO_TIP }).append(events);
    const untrue = falseAcknowledgement(events);
    return TABLES.flatMap((table) =>
      compared(
        { table, runId, untrue },
        { told: READERS[table](told, runId), stored: READERS[table](stored, runId) },
      ),
    );
  } finally {
    database.close();
  }
}

interface Comparison extends Pick<ChangedRow, 'table' | 'runId'> {
  readonly untrue: ReturnType<typeof falseAcknowledgement>;
}

type Columns = Readonly<Record<string, unknown>>;

function compared(
  { table, runId, untrue }: Comparison,
  { told, stored }: Readonly<Record<'told' | 'stored', readonly ToldRow[]>>,
): ChangedRow[] {
  const left = new Map(stored.map((row) => [nameOf(table, row), row]));
  const found: ChangedRow[] = [];
  const name = (row: ToldRow, why: string) =>
    void found.push({ table, runId, ...nameParts(table, row), why });
  for (const row of told) {
    const other = left.get(nameOf(table, row));
    const why = other ? (difference(row, other) ?? untrue(other)) : 'it is missing';
    if (why !== undefined) name(row, why);
    left.delete(nameOf(table, row));
  }
  for (const row of left.values()) name(row, 'no event tells of it');
  return found;
}

const columnsOf = (row: ToldRow): Columns => ({ ...row });

function nameOf(table: ToldTable, row: ToldRow): string {
  const columns = columnsOf(row);
  return JSON.stringify(KEYS[table].map((key) => columns[key]));
}

function nameParts(
  table: ToldTable,
  row: ToldRow,
): Pick<ChangedRow, 'taskKey' | 'attempt' | 'name'> {
  const columns = columnsOf(row);
  const rest = KEYS[table].filter((key) => key !== 'task_key' && key !== 'attempt');
  return {
    ...(row.task_key === undefined ? {} : { taskKey: row.task_key }),
    ...(row.attempt === undefined ? {} : { attempt: row.attempt }),
    ...(rest.length === 0 ? {} : { name: rest.map((key) => `${columns[key]}`).join(' ') }),
  };
}

/** Stamped by a person, and in no event. */
const UNTOLD = 'abandoned_ack_at';

function difference(told: ToldRow, stored: ToldRow): string | undefined {
  const found = columnsOf(stored);
  for (const [column, value] of Object.entries(columnsOf(told))) {
    const other = found[column];
    if (other !== value && column !== UNTOLD)
      return `its ${column} is ${printable(other)}, by the events ${printable(value)}`;
  }
  return undefined;
}
