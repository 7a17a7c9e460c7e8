import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { TASK_FIELDS } from '../../src/core/task-issues/task-fields.ts';
import { validatePlan } from '../../src/plan/index.ts';
import { BUDGET_FIELDS, PLAN_FIELDS, WORKTREE_FIELDS } from '../../src/plan/position.ts';
import { planOf } from './plan-of.ts';

const read = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));

const schema = read('../../plan.schema.json');

const matches = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(
  schema,
);

const isValid = (plan: unknown) => validatePlan(plan, { now: '2026-01-01T00:00:00Z' }).ok;

const { worktree, budget } = schema.properties;

test.each([
  ['a plan', schema, PLAN_FIELDS],
  ['its worktree', worktree, WORKTREE_FIELDS],
  ['its budget', budget, BUDGET_FIELDS],
  ['a task', schema.$defs.task, TASK_FIELDS],
])('%s has the keys that the validator knows, each with a description', (_, object, fields) => {
  expect(Object.keys(object.properties)).toEqual([...fields]);
  for (const { description } of Object.values<{ description?: string }>(object.properties))
    expect(description).toMatch(/^[A-Z0-9a-z].*\.$/u);
  expect(object.additionalProperties).toBe(false);
  expect(Object.keys(object.patternProperties)).toEqual(['^x-[\\s\\S]']);
});

test('it is of draft 2020-12, and published with the package', () => {
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  const { exports, files } = read('../../package.json');
  expect(exports['./plan.schema.json']).toBe('./plan.schema.json');
  expect(files).toContain('plan.schema.json');
});

test('every fixture that the validator takes matches', () => {
  const names = readdirSync(new URL('fixtures', import.meta.url)).filter((name) =>
    /^O-/u.test(name),
  );
  let taken = 0;
  for (const name of names) {
    const fixture = read(`fixtures/${name}`);
    const plan = planOf(fixture.tasks ?? fixture);
    if (!isValid(plan)) continue;
    taken += 1;
    expect([name, matches(plan)]).toEqual([name, true]);
  }
  expect(taken).toBeGreaterThanOrEqual(2);
});

const full = {
  $schema: './plan.schema.json',
  goal: 'g',
  gate: 'npm test',
  worktree: { copy: ['.env*'], link: ['node_modules'], setup: ['npm ci'], 'x-w': 1 },
  schedule: 'pipeline',
  budget: { tokens: 1, usd: 0.5, 'x-b': 1 },
  'x-own': { any: [1] },
  tasks: [
    {
      ...{ id: 'a', parallel_group: 1, created_at: '2026-01-01', title: 'A', description: 'd' },
      ...{ assigned_persona: 'ada', depends_on: [], reads: ['r'], writes: ['src/**'] },
      ...{ must_produce: ['src/a'], verify: 'true', phase: 'tdd', difficulty: 'low' },
      ...{ acceptance: 'works', status: 'pending', attempts: 1, 'x-t': null },
    },
    {
      ...{ id: 7, parallel_group: 1, title: 'B', description: 'd', assigned_to: 'eve' },
      ...{ reviews: 'a', depends_on: null, writes: null, status: null, attempts: null },
    },
    { id: 'c', title: 'C', description: 'd', status: 'complete', parallel_group: 'over' },
  ],
};

test('a plan with every key matches, and the validator takes it', () => {
  expect(validatePlan(full, { now: '2026-01-01T00:00:00Z' })).toMatchObject({ ok: true });
  expect([matches(full), matches.errors]).toEqual([true, null]);
});

const VALUES: readonly unknown[] = [
  ...[null, true, 0, 1, -1, 1.5, 2 ** 53, '', ' ', '\n', 'text', '2026-01-01', 'pending'],
  ...['complete', 'parallel', 'done', 'x'.repeat(257), 'y'.repeat(1_001), {}, []],
  ...['text', '', ' ', 1, 1.5, null, '/a', '~/a', '~a', '../a', 'a/..', 'a/../b', '.git/x'].map(
    (item) => [item],
  ),
  ...['x/.GIT', '.gitignore', '.', './', 'a*', 'a\u0007', 'a//b', './a', 'a\n'].map((item) => [
    item,
  ]),
  ...['.g\u200cit/x', '.git. ./x', '\ufeff.git', 'x/git~1', 'GIT~1 ', 'git~10', 'a\ud800'].map(
    (item) => [item],
  ),
  ...['C:/x', './c:', '*a*b*', '*a*b*c*', '*/'.repeat(8), `${'*/'.repeat(8)}*`, '**/**'].map(
    (item) => [item],
  ),
  ...['z'.repeat(300), 'z'.repeat(301), 'z'.repeat(4_096), 'z'.repeat(4_097)].map((item) => [item]),
  ...[`${'a/'.repeat(255)}a`, `${'a/'.repeat(256)}a`].map((item) => [item]),
];

/** Codes of what no schema can tell: edges, times as such, names and what they stand for. */
const BEYOND: ReadonlySet<string> = new Set([
  ...['unknown-upstream', 'invalid-created-at', 'reviewer-persona', 'reviewer-writes'],
  ...['alias-conflict', 'self-dependency', 'not-later'],
]);

/** Whether the validator takes it as far as single keys go. */
const isWellFormed = (plan: unknown) => {
  const validation = validatePlan(plan, { now: '2026-01-01T00:00:00Z' });
  return (
    validation.ok ||
    validation.issues.every(
      ({ code, message }) =>
        BEYOND.has(code) && (code !== 'invalid-created-at' || message.includes('got "')),
    )
  );
};

const base = { id: 'a', parallel_group: 1, title: 'A', description: 'd' };

const without = (object: object, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

test.each(['\uff0egit/x', '{.git,x}/y', '[.]git', 'ü'.repeat(2_049)])(
  'of how a path is spelled the schema knows less than the validator: %.20j',
  (path) => {
    const plan = { goal: 'g', tasks: [{ ...base, writes: [path] }] };
    expect([matches(plan), isWellFormed(plan)]).toEqual([true, false]);
  },
);

describe('schema and validator say the same of every value at', () => {
  const plans: Record<string, (value: unknown) => object> = {};
  for (const key of PLAN_FIELDS)
    plans[key] = (value) => ({ goal: 'g', tasks: [base], [key]: value });
  for (const key of WORKTREE_FIELDS)
    plans[`worktree.${key}`] = (value) => ({
      goal: 'g',
      tasks: [base],
      worktree: { [key]: value },
    });
  for (const key of BUDGET_FIELDS)
    plans[`budget.${key}`] = (value) => ({ goal: 'g', tasks: [base], budget: { [key]: value } });
  for (const key of [...TASK_FIELDS, 'x-', 'x-\n', 'dependson'])
    plans[`tasks.${key}`] = (value) => ({ goal: 'g', tasks: [{ ...base, [key]: value }] });

  test.each(Object.entries(plans))('%s', (_, planWith) => {
    for (const value of VALUES) {
      const plan = planWith(value);
      expect([value, matches(plan)]).toEqual([value, isWellFormed(plan)]);
    }
  });

  test.each(Object.keys(base))('a task without %s', (key) => {
    const plan = { goal: 'g', tasks: [without(base, key)] };
    expect([matches(plan), isWellFormed(plan)]).toEqual([false, false]);
  });
});
