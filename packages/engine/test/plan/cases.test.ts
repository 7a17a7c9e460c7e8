import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PreflightError, preflight } from '../../src/core/preflight.ts';
import type { Task } from '../../src/core/task.ts';
import { taskKey } from '../../src/core/task.ts';
import { partitionWaves } from '../../src/core/waves.ts';
import { validatePlan } from '../../src/plan/index.ts';
import { validate } from './plan-of.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));

/** The codes of a case at both doors: the plan and pre-flight. */
function judge(rows: Task[]) {
  const plan = validate(rows).issues;
  let error: PreflightError | undefined;
  try {
    preflight(rows);
  } catch (thrown) {
    if (!(thrown instanceof PreflightError)) throw thrown;
    error = thrown;
  }
  expect(plan.map(({ code }) => code)).toEqual((error?.issues ?? []).map(({ code }) => code));
  expect(plan.map(({ message }) => message)).toEqual(
    (error?.issues ?? []).map(({ message }) => message),
  );
  return { plan, error };
}

test('O-22: hostile ids are names, kept as they are', () => {
  const { tasks } = read('O-22-ids');
  expect(judge(tasks).plan).toEqual([]);
  expect(validate(tasks).tasks.map(({ id }) => id)).toEqual(tasks.map(({ id }: Task) => id));
});

test('O-29: a repeated id is refused and named', () => {
  const { plan, error } = judge(read('O-29-duplicate-ids'));
  expect(plan).toMatchObject([{ code: 'duplicate-id', path: 'tasks[1].id', taskId: 'T-1' }]);
  expect(error?.taskIds).toEqual(['T-1']);
});

test('O-30: an edge to an unknown task is refused, both ends named', () => {
  const { plan } = judge(read('O-30-missing-dep'));
  expect(plan).toMatchObject([
    { code: 'unknown-upstream', path: 'tasks[1].depends_on[0]', taskId: 'T-2' },
  ]);
  expect(plan[0]?.message).toContain('"T-404"');
});

test('O-30: an upstream that is already abandoned is known, so the plan stands', () => {
  const rows = read('O-30-missing-dep');
  const upstream = { id: 'T-404', status: 'abandoned' };
  const hop = { id: 'T-3', parallel_group: 3, depends_on: ['T-2'] };
  expect(judge([...rows, upstream, hop]).plan).toEqual([]);
});

test('O-31a: a cycle is refused with the path', () => {
  const { plan } = judge(read('O-31a-cycle'));
  expect(plan.map(({ code }) => code)).toEqual(['not-later', 'cycle']);
  expect(plan[1]?.message).toContain('A -> C -> B -> A');
});

test('O-31b: a task that depends on itself is refused', () => {
  expect(judge(read('O-31b-self')).plan).toMatchObject([{ code: 'self-dependency', taskId: 'A' }]);
});

test('O-32: the whole batch is refused for its null groups, the offenders sorted, closed rows not among them', () => {
  const { plan, error } = judge(read('O-32-null-group'));
  expect(plan).toMatchObject([
    { code: 'invalid-group', taskId: 'T-3' },
    { code: 'invalid-group', taskId: 'T-2' },
  ]);
  expect(error).toMatchObject({ code: 'NULL_PARALLEL_GROUP', taskIds: ['T-2', 'T-3'] });
});

test('O-33: creation is compared as instants, zoneless text as UTC, ids break ties', () => {
  const rows = read('O-33-created-at');
  expect(judge(rows).plan).toEqual([]);
  expect(
    partitionWaves(validate(rows).tasks).map((wave) => wave.map(({ id }) => taskKey(id))),
  ).toEqual([['first', 'late-text', 'mid', 'tie-a', 'tie-b']]);
});

test('O-34: a dependent in the wave of its upstream is refused', () => {
  expect(judge(read('O-34-same-wave-dep')).plan).toMatchObject([
    { code: 'not-later', taskId: 'B' },
  ]);
});

test('O-34: a dependent in a lower wave than its upstream is refused', () => {
  const [a, b] = read('O-34-same-wave-dep');
  expect(judge([{ ...a, parallel_group: 2 }, b]).plan).toMatchObject([
    { code: 'not-later', taskId: 'B' },
  ]);
});

test('a case as it stands, a list, is told where its tasks belong', () => {
  expect(validatePlan(read('O-29-duplicate-ids'), { now: '2026-01-01' })).toMatchObject({
    ok: false,
    issues: [{ code: 'wrong-type', path: '' }],
  });
});

const GATES: Record<string, string[]> = {
  ok: [],
  OrphanDepsError: ['unknown-upstream'],
  CycleError: ['self-dependency'],
};

const rows: {
  tasks: { task_id: string; depends_on?: string[] }[];
  existing: string[];
  out: string;
}[] = read('dag');

/** What only a plan is asked, because a run of rows from elsewhere does not promise it. */
const PLAN_GATES: Record<string, string[]> = {
  FileContentionError: ['write-contention'],
  UnsatisfiableReadsError: ['unmet-read'],
};

test.each(rows)('gate vector $tasks with $existing gives $out', ({ tasks, existing, out }) => {
  const named = tasks.map(({ task_id, ...task }) => ({ id: task_id, ...task }));
  const sameWave = tasks.length === 2 && tasks[1]?.depends_on?.[0] === 'a';
  // Decision 7: a dependent in the wave of its upstream is refused.
  const expected = sameWave ? ['not-later'] : (GATES[out] ?? PLAN_GATES[out]);
  const plan = tasks.length === 0 ? [] : validate(named, new Set(existing)).issues;
  expect(plan.map(({ code }) => code)).toEqual(expected);
  if (out in GATES && tasks.length > 0) judge(named);
});
