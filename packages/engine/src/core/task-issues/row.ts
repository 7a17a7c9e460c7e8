import { isGroup } from '../group.ts';
import { isClosed, type TaskId, taskKey } from '../task.ts';
import { quoted } from './received.ts';
import { isObject, type RawTask } from './task-fields.ts';
import type { TaskIssue } from './task-issue.ts';

/** One row of a task list with what could be made of it. */
export interface Row {
  readonly index: number;
  readonly value: unknown;
  /** The same, when it is an object. */
  readonly raw: RawTask | undefined;
  /** The canonical text of its id, usable or not. */
  readonly key: string | undefined;
  /** How messages name it. */
  readonly label: string;
  readonly live: boolean;
  /** Its wave, when that is an integer of at least 1. */
  readonly group: number | undefined;
}

export function readRow(value: unknown, index: number): Row {
  const raw: RawTask | undefined = isObject(value) ? value : undefined;
  const key = raw && isTaskId(raw.id) ? taskKey(raw.id) : undefined;
  return {
    index,
    value,
    raw,
    key,
    label: key === undefined ? `tasks[${index}]` : `task ${quoted(key)}`,
    live: raw !== undefined && !isClosedStatus(raw.status),
    group: isGroup(raw?.parallel_group) ? raw.parallel_group : undefined,
  };
}

export const isTaskId = (value: unknown): value is TaskId =>
  typeof value === 'string' || Number.isSafeInteger(value);

/** The rows by the text of their ids; of several with one id the first. */
export function firstByKey(rows: readonly Row[]): Map<string, Row> {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    if (row.key !== undefined && !byKey.has(row.key)) byKey.set(row.key, row);
  }
  return byKey;
}

/** An issue about this row. */
export const rowIssue = (row: Row, issue: Omit<TaskIssue, 'row' | 'taskId'>): TaskIssue => ({
  row: row.index,
  taskId: row.key,
  ...issue,
});

const isClosedStatus = (status: unknown): boolean =>
  typeof status === 'string' && isClosed({ id: '', status });
