import { received } from '../core/task-issues/received.ts';
import { firstByKey, type Row, readRow } from '../core/task-issues/row.ts';
import { isObject } from '../core/task-issues/task-fields.ts';
import { issuesOfRows } from '../core/task-issues/task-issues.ts';
import {
  entriesIn,
  PLAN_CAPS,
  type PlanCaps,
  taskCapFindings,
  totalFindings,
  waveFindings,
  withinCaps,
  worktreeCapFindings,
  worktreeWithinCaps,
} from './caps.ts';
import { contentionFindings } from './contention.ts';
import { decomposedNames } from './decomposed-names.ts';
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
import { type KeyGate, keyGate } from './unknown-keys.ts';
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
  const { budget, tasks }: { [key in 'budget' | 'tasks']?: unknown } = input;
  const { worktree: whole }: { readonly worktree?: unknown } = input;
  const caps = { ...PLAN_CAPS, ...gates.caps };
  const worktree = worktreeWithinCaps(whole, caps);
  const plan = { at: [], label: 'the plan' };
  const bounded = worktree === whole ? input : { ...input, worktree };
  for (const misshape of planMisshapes(bounded)) yield misshapeFinding(misshape, plan);
  const keys = keyGate();
  yield* keys.unknownIn(input, PLAN_FIELDS, plan);
  if (isObject(budget)) {
    yield* keys.unknownIn(budget, BUDGET_FIELDS, { at: ['budget'], label: 'the budget' });
  }
  if (isObject(worktree)) {
    const subject = { at: ['worktree'], label: 'the worktree' };
    yield* keys.unknownIn(worktree, WORKTREE_FIELDS, subject);
    yield* worktreePathIssues(worktree, subject);
    yield* worktreeCapFindings(Object(whole), subject, caps);
  }
  const isWhole = worktree === whole;
  if (Array.isArray(tasks)) yield* tasksFindings(tasks, { worktree, isWhole, gates, caps, keys });
  yield* keys.rest();
}

function notAPlan(input: unknown): Finding {
  const fix = Array.isArray(input)
    ? 'Put the list under the key tasks, beside goal.'
    : 'Write an object with goal and tasks.';
  const message = `a plan must be an object, got ${received(input)}`;
  return { code: 'wrong-type', at: [], message, fix };
}

interface TasksOptions {
  readonly worktree: unknown;
  /** Nothing was left out of the worktree. */
  readonly isWhole: boolean;
  readonly gates: PlanGates;
  readonly caps: PlanCaps;
  readonly keys: KeyGate;
}

function* tasksFindings(
  tasks: readonly unknown[],
  { worktree, isWhole: isWorktreeWhole, gates, caps, keys }: TasksOptions,
): Generator<Finding> {
  if (tasks.length === 0) {
    const fix = 'Add at least one task.';
    yield { code: 'empty-plan', at: ['tasks'], message: 'the plan has no tasks', fix };
  }
  const [tooMuch, ...more] = totalFindings(tasks, caps);
  if (tooMuch) {
    yield* [tooMuch, ...more];
    return;
  }
  const rows = Array.from(tasks, (task, index) => readRow(withinCaps(task, caps), index));
  const byKey = firstByKey(rows);
  let isWhole = isWorktreeWhole;
  for (const { index, raw, value, key, label } of rows) {
    if (!raw) continue;
    const subject = { at: ['tasks', index], taskId: key, label };
    yield* taskFindings(raw, subject, keys);
    yield* taskCapFindings(Object(tasks[index]), subject, caps);
    isWhole &&= value === tasks[index];
  }
  const refused = new Set<string>();
  for (const { row, field, item, ...issue } of issuesOfRows(rows, byKey)) {
    const steps = item === undefined ? [field] : [field, item];
    if (field === 'reads') refused.add(`${row}.${item}`);
    yield { ...issue, at: ['tasks', row, ...(field === '' ? [] : steps)] };
  }
  yield* waveFindings(rows, caps);
  yield* edgeFindings(rows, byKey, caps);
  if (gates.personas) yield* rosterFindings(rows, gates.personas);
  const fold = foldedBy(gates.foldCase);
  yield* contentionFindings(rows, fold);
  // Without a list that was left out nobody can say what is written nowhere.
  if (!gates.existing || !isWhole) return;
  const [exists, isGiven] = [
    existingPaths({ existing: gates.existing, links: gates.links }, fold),
    givenPaths(worktree, fold),
  ];
  const isThere = (path: string) => exists(path) || isGiven(path);
  yield* decomposedNames(rows, exists);
  yield* unmetReads(rows, byKey, { isThere, fold, refused });
}

/** Pairs that are implied, beyond what the entries of `depends_on` leave of their common cap. */
function* edgeFindings(
  rows: readonly Row[],
  byKey: ReadonlyMap<string, Row>,
  { impliedEdges }: PlanCaps,
): Generator<Finding> {
  const said = entriesIn(
    rows.map(({ value }) => value),
    ['depends_on'],
  );
  for (const finding of impliedEdgeFindings(rows, byKey, { impliedEdges: impliedEdges - said }))
    yield said === 0
      ? finding
      : {
          ...finding,
          message: `${finding.message}: ${said} entries of depends_on leave no more of ${impliedEdges}`,
        };
}
