import { canonicalInstant } from '../instant.ts';
import { received } from './received.ts';
import { isTaskId, type Row, rowIssue } from './row.ts';
import type { RawTask } from './task-fields.ts';
import type { TaskIssue } from './task-issue.ts';

const LISTS = [
  { field: 'depends_on', one: 'task id', accepts: isTaskId },
  { field: 'reads', one: 'path', accepts: isText },
  { field: 'writes', one: 'path', accepts: isText },
  { field: 'must_produce', one: 'path', accepts: isText },
] as const;

/** Defects of single fields. What only a dispatch needs is not asked of a closed row. */
export function* fieldIssues(row: Row): Generator<TaskIssue> {
  const { raw } = row;
  if (!raw) return;
  if (row.live) {
    yield* groupIssues(row, raw);
    yield* createdAtIssues(row, raw);
  }
  for (const list of LISTS) yield* listIssues(row, raw[list.field], list);
  yield* reviewsIssues(row, raw);
  yield* attemptsIssues(row, raw);
}

function* groupIssues(row: Row, raw: RawTask): Generator<TaskIssue> {
  if (row.group !== undefined) return;
  yield rowIssue(row, {
    code: 'invalid-group',
    field: 'parallel_group',
    message: `${row.label} is in no wave: parallel_group must be an integer of at least 1, got ${received(raw.parallel_group)}`,
    fix: 'Set parallel_group to the number of the wave the task runs in.',
  });
}

function* createdAtIssues(row: Row, raw: RawTask): Generator<TaskIssue> {
  const { created_at: given } = raw;
  if (given === undefined || given === null) return;
  if (typeof given === 'string' && canonicalInstant(given) !== undefined) return;
  yield rowIssue(row, {
    code: 'invalid-created-at',
    field: 'created_at',
    message: `created_at of ${row.label} must be an ISO 8601 date or time, got ${received(given)}`,
    fix: 'Write it like 2026-01-31T09:00:00Z, or leave it out.',
  });
}

function* listIssues(
  row: Row,
  given: unknown,
  { field, one, accepts }: (typeof LISTS)[number],
): Generator<TaskIssue> {
  if (given === undefined || given === null) return;
  const fix = `Write ${field} as a list of ${one}s, or leave it out.`;
  if (!Array.isArray(given)) {
    const message = `${field} of ${row.label} must be a list of ${one}s, got ${received(given)}`;
    yield rowIssue(row, { code: 'wrong-type', field, message, fix });
    return;
  }
  for (const [item, value] of given.entries()) {
    if (accepts(value)) continue;
    const message = `${field}[${item}] of ${row.label} must be a ${one}, got ${received(value)}`;
    yield rowIssue(row, { code: 'wrong-type', field, item, message, fix });
  }
}

function* reviewsIssues(row: Row, raw: RawTask): Generator<TaskIssue> {
  const { reviews } = raw;
  if (reviews === undefined || reviews === null || isTaskId(reviews)) return;
  yield rowIssue(row, {
    code: 'wrong-type',
    field: 'reviews',
    message: `reviews of ${row.label} must be one task id, got ${received(reviews)}`,
    fix: 'Name the one task whose work this task reviews.',
  });
}

function* attemptsIssues(row: Row, raw: RawTask): Generator<TaskIssue> {
  const { attempts } = raw;
  if (attempts === undefined || attempts === null) return;
  if (Number.isSafeInteger(attempts) && Number(attempts) >= 0) return;
  yield rowIssue(row, {
    code: 'invalid-attempts',
    field: 'attempts',
    message: `attempts of ${row.label} must be an integer of at least 0, got ${received(attempts)}`,
    fix: 'Set it to the number of dispatches already charged, or leave it out.',
  });
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}
