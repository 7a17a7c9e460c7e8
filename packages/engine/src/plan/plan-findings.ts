import { received } from '../core/task-issues/received.ts';
import { readRow } from '../core/task-issues/row.ts';
import { isObject } from '../core/task-issues/task-fields.ts';
import { taskIssues } from '../core/task-issues/task-issues.ts';
import type { Finding } from './finding.ts';
import { worktreePathIssues } from './path-issues.ts';
import { BUDGET_FIELDS, comparePositions, PLAN_FIELDS, WORKTREE_FIELDS } from './position.ts';
import { planMisshapes } from './shape.ts';
import { misshapeFinding, taskFindings } from './task-findings.ts';
import { unknownKeys } from './unknown-keys.ts';

/** Every defect of a plan document, by position. */
export function planFindings(input: unknown): Finding[] {
  return [...documentFindings(input)].sort((a, b) => comparePositions(a.at, b.at));
}

function* documentFindings(input: unknown): Generator<Finding> {
  if (!isObject(input)) {
    yield notAPlan(input);
    return;
  }
  const { budget, worktree, tasks }: { [key in 'budget' | 'worktree' | 'tasks']?: unknown } = input;
  const plan = { at: [], label: 'the plan' };
  for (const misshape of planMisshapes(input)) yield misshapeFinding(misshape, plan);
  yield* unknownKeys(input, PLAN_FIELDS, plan);
  if (isObject(budget)) {
    yield* unknownKeys(budget, BUDGET_FIELDS, { at: ['budget'], label: 'the budget' });
  }
  if (isObject(worktree)) {
    const subject = { at: ['worktree'], label: 'the worktree' };
    yield* unknownKeys(worktree, WORKTREE_FIELDS, subject);
    yield* worktreePathIssues(worktree, subject);
  }
  if (Array.isArray(tasks)) yield* tasksFindings(tasks);
}

function notAPlan(input: unknown): Finding {
  const fix = Array.isArray(input)
    ? 'Put the list under the key tasks, beside goal.'
    : 'Write an object with goal and tasks.';
  const message = `a plan must be an object, got ${received(input)}`;
  return { code: 'wrong-type', at: [], message, fix };
}

function* tasksFindings(tasks: readonly unknown[]): Generator<Finding> {
  if (tasks.length === 0) {
    const fix = 'Add at least one task.';
    yield { code: 'empty-plan', at: ['tasks'], message: 'the plan has no tasks', fix };
  }
  for (const [index, task] of tasks.entries()) {
    const { raw, key, label } = readRow(task, index);
    if (raw) yield* taskFindings(raw, { at: ['tasks', index], taskId: key, label });
  }
  for (const { row, field, item, ...issue } of taskIssues(tasks)) {
    const steps = item === undefined ? [field] : [field, item];
    yield { ...issue, at: ['tasks', row, ...(field === '' ? [] : steps)] };
  }
}
