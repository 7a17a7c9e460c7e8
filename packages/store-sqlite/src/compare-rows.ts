import type { RunEvent } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { type Connection, connection } from './connection.ts';
import { sqliteJournal } from './journal.ts';
import { applyMigrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { readAttempts, readTasks } from './read.ts';
import type { AttemptRow, TaskRow } from './schema.ts';
import { NO_TIP } from './tip.ts';

/** A row of a table that does not follow from the events. */
export interface ChangedRow {
  readonly table: 'tasks' | 'attempts';
  readonly runId: string;
  readonly taskKey: string;
  /** Of a row of `attempts`. */
  readonly attempt?: number;
  readonly why: string;
}

/**
 * The rows of a run's tasks and attempts that differ from what its events give when they are told again, in a store
 * of their own. Throws what appending throws for events that make no run.
 */
export function changedRows(
  stored: Connection,
  runId: string,
  events: readonly RunEvent[],
): readonly ChangedRow[] {
  const database = openDatabase(':memory:', 0);
  try {
    applyMigrations(database);
    const told = connection(database);
    sqliteJournal(told, { tipFile: NO_TIP }).append(events);
    return [
      ...compared('tasks', runId, [readTasks(told, runId), readTasks(stored, runId)]),
      ...compared('attempts', runId, [readAttempts(told, runId), readAttempts(stored, runId)]),
    ];
  } finally {
    database.close();
  }
}

type Row = TaskRow | AttemptRow;

/** What no event tells of. */
const NOT_IN_EVENTS: ReadonlySet<string> = new Set(['abandoned_ack_at']);

function compared(
  table: ChangedRow['table'],
  runId: string,
  [told, stored]: readonly [readonly Row[], readonly Row[]],
): ChangedRow[] {
  const left = new Map(stored.map((row) => [nameOf(row), row]));
  const found: ChangedRow[] = [];
  const name = (row: Row, why: string) =>
    void found.push({ table, runId, taskKey: row.task_key, ...attemptOf(row), why });
  for (const row of told) {
    const other = left.get(nameOf(row));
    const why = other ? difference(row, other) : 'it is missing';
    if (why !== undefined) name(row, why);
    left.delete(nameOf(row));
  }
  for (const row of left.values()) name(row, 'no event tells of it');
  return found;
}

const nameOf = (row: Row): string => `${attemptOf(row).attempt ?? ''} ${row.task_key}`;

const attemptOf = (row: Row): Pick<ChangedRow, 'attempt'> =>
  'attempt' in row ? { attempt: row.attempt } : {};

function difference(told: Row, stored: Row): string | undefined {
  const found = new Map<string, unknown>(Object.entries(stored));
  for (const [column, value] of Object.entries(told)) {
    const other = found.get(column);
    if (other !== value && !NOT_IN_EVENTS.has(column))
      return `its ${column} is ${printable(other)}, by the events ${printable(value)}`;
  }
  return undefined;
}
