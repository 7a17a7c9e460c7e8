import type { Journal, TaskId } from '@atelier/engine';
import { acknowledge } from './acknowledge.ts';
import { connection } from './connection.ts';
import { inspectFile } from './inspect.ts';
import { sqliteJournal } from './journal.ts';
import { applyMigrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import {
  readAttempts,
  readChanges,
  readEscalations,
  readProducts,
  readRuns,
  readStages,
  readTasks,
} from './read.ts';
import type {
  AttemptRow,
  ChangeRow,
  EscalationRow,
  ProductRow,
  RunRow,
  StageRow,
  TaskRow,
} from './schema.ts';
import { translated } from './sqlite-error.ts';

/** Where the store lives. */
export interface StoreOptions {
  /** A file, made if it is not there; or `:memory:`. */
  readonly path: string;
  /** How long a call waits for another process before it throws `STORE_BUSY`. 5,000 when absent. */
  readonly busyTimeoutMs?: number;
}

/** One file with the events of every run, and tables that follow from them in the same transaction. */
export interface Store {
  readonly journal: Journal;
  /** Oldest first. */
  runs(): readonly RunRow[];
  /** In dispatch order, closed tasks among them. */
  tasks(runId: string): readonly TaskRow[];
  /** By task and number; of one task when `taskKey` is given. */
  attempts(runId: string, taskKey?: string): readonly AttemptRow[];
  /** The checks behind each attempt of a task, in the order in which they were passed. */
  stagesOf(runId: string, taskKey: string): readonly StageRow[];
  /** The files that each checked attempt of a task changed, at most 200 of one attempt. */
  changesOf(runId: string, taskKey: string): readonly ChangeRow[];
  /** The files that each checked attempt of a task produced, with the worker's hash where that is another. */
  productsOf(runId: string, taskKey: string): readonly ProductRow[];
  /** In the order they were raised; `delivered_at` is null for those still owed. */
  escalations(runId: string): readonly EscalationRow[];
  /**
   * Stamps that a person has seen a task's escalation. It gates nothing. Throws `STORE_NO_SUCH_TASK`, or
   * `STORE_NOT_ESCALATED` for a task that is neither abandoned nor held.
   */
  acknowledge(runId: string, taskId: TaskId): void;
  /** Every later call throws `STORE_CLOSED`. */
  close(): void;
}

/**
 * Opens a store and brings its schema up to date. Throws `STORE_NEWER` or `STORE_MIGRATION_CHANGED`,
 * having touched nothing, for a file of another version.
 */
export function openStore({ path, busyTimeoutMs = 5_000 }: StoreOptions): Store {
  inspectFile(path, busyTimeoutMs);
  const database = openDatabase(path, busyTimeoutMs);
  try {
    applyMigrations(database);
  } catch (error) {
    database.close();
    throw translated(error);
  }
  const open = connection(database);
  return {
    journal: sqliteJournal(open),
    runs: () => readRuns(open),
    tasks: (runId) => readTasks(open, runId),
    attempts: (runId, taskKey) => readAttempts(open, runId, taskKey),
    stagesOf: (runId, taskKey) => readStages(open, runId, taskKey),
    changesOf: (runId, taskKey) => readChanges(open, runId, taskKey),
    productsOf: (runId, taskKey) => readProducts(open, runId, taskKey),
    escalations: (runId) => readEscalations(open, runId),
    acknowledge: (runId, taskId) => acknowledge(open, runId, taskId),
    close: () => open.close(),
  };
}
