import { cycleIssues } from './cycle-issues.ts';
import { fieldIssues } from './field-issues.ts';
import { duplicateIssues, idIssues } from './id-issues.ts';
import { linkIssues } from './link-issues.ts';
import { received } from './received.ts';
import { reviewIssues } from './review-issues.ts';
import { firstByKey, type Row, readRow, rowIssue } from './row.ts';
import { TASK_FIELDS } from './task-fields.ts';
import type { TaskIssue } from './task-issue.ts';

/**
 * Every defect of a task list that makes it unfit for dispatch, by position. A row that is broken in one way is
 * still judged in every other, and edges are judged as far as they can be followed. Linear, without recursion.
 */
export function taskIssues(tasks: readonly unknown[]): TaskIssue[] {
  const rows = Array.from(tasks, readRow);
  return issuesOfRows(rows, firstByKey(rows));
}

/** The same of rows that are read already. */
export function issuesOfRows(rows: readonly Row[], byKey: ReadonlyMap<string, Row>): TaskIssue[] {
  const issues: TaskIssue[] = [];
  for (const row of rows) {
    for (const issue of singleIssues(row)) issues.push(issue);
  }
  for (const gate of [duplicateIssues, linkIssues, cycleIssues, reviewIssues]) {
    for (const issue of gate(rows, byKey)) issues.push(issue);
  }
  return issues.sort(byPosition);
}

function* singleIssues(row: Row): Generator<TaskIssue> {
  if (!row.raw) {
    yield rowIssue(row, {
      code: 'not-an-object',
      field: '',
      message: `${row.label} must be a task, got ${received(row.value)}`,
      fix: 'Write each task as an object with at least an id and a parallel_group.',
    });
    return;
  }
  yield* idIssues(row);
  yield* fieldIssues(row);
}

const RANK: ReadonlyMap<string, number> = new Map(TASK_FIELDS.map((field, rank) => [field, rank]));

const byPosition = (a: TaskIssue, b: TaskIssue): number =>
  a.row - b.row ||
  (RANK.get(a.field) ?? -1) - (RANK.get(b.field) ?? -1) ||
  (a.item ?? -1) - (b.item ?? -1);
