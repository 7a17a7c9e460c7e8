import { received } from '../core/task-issues/received.ts';
import { firstByKey, readRow } from '../core/task-issues/row.ts';
import { isObject } from '../core/task-issues/task-fields.ts';
import { issuesOfRows } from '../core/task-issues/task-issues.ts';
import { PLAN_CAPS, taskCapFindings, taskCountFindings, waveFindings } from './caps.ts';
import { contentionFindings } from './contention.ts';
import { existingPaths } from './existing-paths.ts';
import type { Finding } from './finding.ts';
import { foldedBy } from './folded.ts';
import { givenPaths } from './given-paths.ts';
import { impliedEdgeFindings } from './implied-edges.ts';
import { worktreePathIssues } from './path-issues.ts';
import type { PlanGates } from './plan-gates.ts';
import { BUDGET_FIELDS, comparePositions, PLAN_FIELDS, WORKTREE_FIELDS } from './position.ts';
import { rosterFindings } from './roster.ts';
import { planMisshapes } from './shape.ts';
import { misshapeFinding, taskFindings } from './task-findings.ts';
import { unknownKeys } from './unknown-keys.ts';
import { unmetReads } from './unmet-reads.ts';

/** Every defect of a plan document, by position. */
export function planFindings(input: unknown, gates: PlanGates): Finding[] {
  return [...documentFindings(input, gates)].sort((a, b) => comparePositions(a.at, b.at));
}

function* documentFindings(input: unknown, gates: PlanGates): Generator<Finding> {
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
  if (Array.isArray(tasks)) yield* tasksFindings(tasks, worktree, gates);
}

function notAPlan(input: unknown): Finding {
  const fix = Array.isArray(input)
    ? 'Put the list under the key tasks, beside goal.'
    : 'Write an object with goal and tasks.';
  const message = `a plan must be an object, got ${received(input)}`;
  return { code: 'wrong-type', at: [], message, fix };
}

function* tasksFindings(
  tasks: readonly unknown[],
  worktree: unknown,
  gates: PlanGates,
): Generator<Finding> {
  const caps = { ...PLAN_CAPS, ...gates.caps };
  if (tasks.length === 0) {
    const fix = 'Add at least one task.';
    yield { code: 'empty-plan', at: ['tasks'], message: 'the plan has no tasks', fix };
  }
  yield* taskCountFindings(tasks.length, caps);
  if (tasks.length > caps.tasks) return;
  const rows = Array.from(tasks, readRow);
  const byKey = firstByKey(rows);
  for (const { index, raw, key, label } of rows) {
    if (!raw) continue;
    const subject = { at: ['tasks', index], taskId: key, label };
    yield* taskFindings(raw, subject);
    yield* taskCapFindings(raw, subject, caps);
  }
  const refused = new Set<string>();
  for (const { row, field, item, ...issue } of issuesOfRows(rows, byKey)) {
    const steps = item === undefined ? [field] : [field, item];
    if (field === 'reads') refused.add(`${row}.${item}`);
    yield { ...issue, at: ['tasks', row, ...(field === '' ? [] : steps)] };
  }
  yield* waveFindings(rows, caps);
  yield* impliedEdgeFindings(rows, byKey, caps);
  if (gates.personas) yield* rosterFindings(rows, gates.personas);
  const fold = foldedBy(gates.foldCase);
  yield* contentionFindings(rows, fold);
  if (!gates.existing) return;
  const [exists, isGiven] = [existingPaths(gates.existing, fold), givenPaths(worktree, fold)];
  const isThere = (path: string) => exists(path) || isGiven(path);
  yield* unmetReads(rows, byKey, { isThere, fold, refused });
}
