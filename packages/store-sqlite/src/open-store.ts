import type { Journal, TaskId } from '@atelier/engine';
import type { Database } from 'better-sqlite3';
import { acknowledge } from './acknowledge.ts';
import { connection } from './connection.ts';
import { assertLocal, type FileSystemProbe, fileSystemOf } from './file-system.ts';
import { inspectFile } from './inspect.ts';
import { type JournalOptions, sqliteJournal } from './journal.ts';
import { mergedWork } from './merged.ts';
import type { MergedWork } from './merged-work.ts';
import { applyMigrations } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { owedRuns } from './owed.ts';
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
import { type TeamOptions, type TeamStore, teamStore } from './team/team-store.ts';
import { NO_TIP, openTip, readTip, type Tip } from './tip.ts';
import { isBehind, truncated } from './tip-check.ts';
import { assertWritable } from './writable.ts';

/** Where the store lives. */
export interface StoreOptions {
  /** A file, made if it is not there; or `:memory:`. */
  readonly path: string;
  /** The type of the file system a path is on, as the system names it; what the kernel says when absent. */
  readonly fileSystemOf?: FileSystemProbe;
  /** How long a call waits for another process before it throws `STORE_BUSY`. 5,000 when absent. */
  readonly busyTimeoutMs?: number;
  /** Stamps what the team writes. The clock of this machine when absent. */
  readonly now?: () => Date;
  /** Of messages on the wire, for whoever sends them without an own word. See {@link SendOptions}. */
  readonly refThresholdBytes?: number | undefined;
}

/**
 * One file with the events of every run, and tables that follow from them in the same transaction; beside them what
 * its teams write.
 */
export interface Store {
  readonly journal: Journal;
  /** What is kept around the runs. */
  readonly team: TeamStore;
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
   * The runs that owe an escalation, as their events tell it: each is raised, and no event delivers it. The order is
   * that in which they were raised. A changed row of `escalations` makes no difference.
   */
  owed(): readonly string[];
  /**
   * Merged attempts under a content key, the last one charged first. Their replies and evidence come from events
   * whose chain holds; a run of which a row was changed gives none.
   */
  merged(contentKey: string): readonly MergedWork[];
  /**
   * Stamps that a person has seen a task's escalation. It gates nothing. Throws `STORE_NO_SUCH_TASK`, or
   * `STORE_NOT_ESCALATED` for a task that is neither abandoned nor held.
   */
  acknowledge(runId: string, taskId: TaskId): void;
  /** Every later call throws `STORE_CLOSED`. */
  close(): void;
}

/**
 * Opens a store and brings its schema up to date. Refuses, having touched nothing, what is on a network file system
 * (`STORE_ON_NETWORK`), can not be written (`STORE_READ_ONLY`), is damaged (`STORE_DAMAGED`), has lost commits
 * (`STORE_TRUNCATED`) or is of another version (`STORE_NEWER`, `STORE_MIGRATION_CHANGED`).
 */
export function openStore({ path, ...options }: StoreOptions): Store {
  const { busyTimeoutMs = 5_000, now = () => new Date(), refThresholdBytes } = options;
  const team = { now, refThresholdBytes };
  if (path === MEMORY)
    return storeOver(migrated(path, busyTimeoutMs), { tipFile: NO_TIP, ...team });
  assertLocal(path, options.fileSystemOf ?? fileSystemOf);
  assertWritable(path);
  const tip = readTip(path);
  inspectFile({ path, busyTimeoutMs, tip });
  const database = migrated(path, busyTimeoutMs, tip);
  return storeOver(database, { tipFile: openTip(path), tip, ...team });
}

const MEMORY = ':memory:';

function migrated(path: string, busyTimeoutMs: number, tip?: Tip): Database {
  const database = openDatabase(path, busyTimeoutMs);
  try {
    // Once more for a file that could not be inspected without writing.
    if (tip && isBehind(database, tip)) throw truncated(path, tip);
    applyMigrations(database);
    return database;
  } catch (error) {
    database.close();
    throw translated(error);
  }
}

function storeOver(
  database: Database,
  { now, refThresholdBytes, ...tips }: JournalOptions & TeamOptions,
): Store {
  const open = connection(database);
  return {
    journal: sqliteJournal(open, tips),
    team: teamStore(open, { now, refThresholdBytes }),
    runs: () => readRuns(open),
    tasks: (runId) => readTasks(open, runId),
    attempts: (runId, taskKey) => readAttempts(open, runId, taskKey),
    stagesOf: (runId, taskKey) => readStages(open, runId, taskKey),
    changesOf: (runId, taskKey) => readChanges(open, runId, taskKey),
    productsOf: (runId, taskKey) => readProducts(open, runId, taskKey),
    escalations: (runId) => readEscalations(open, runId),
    owed: () => owedRuns(open),
    merged: mergedWork(open, tips.tip),
    acknowledge: (runId, taskId) => acknowledge(open, runId, taskId),
    close() {
      tips.tipFile.close();
      open.close();
    },
  };
}
