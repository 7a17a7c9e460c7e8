import { expect, test } from 'vitest';
import { validatePlan } from '../../src/plan/index.ts';

/** Sixteen defects of every class, several to a task. */
const plan = {
  gaol: 'typo',
  schedule: 'serial',
  budget: { tokens: -5 },
  tasks: [
    { id: 'a', parallel_group: 1, title: 'A', description: 7, depends_on: ['c'] },
    { id: 'b', parallel_group: 2, title: 'B', description: 'd', depends_on: ['a', 'ghost'] },
    { id: 'c', parallel_group: 3, title: 'C', description: 'd', depends_on: ['b'], dependson: [] },
    { id: 'a', parallel_group: null, title: 'A again', description: 'd', created_at: 'soon' },
    'not a task',
    {
      id: 'd\u0000',
      parallel_group: 1,
      title: 'D',
      description: 'd',
      writes: ['../../etc/passwd'],
      assigned_persona: 'x',
      assigned_to: 'y',
      status: 'done',
      attempts: -1,
    },
  ],
};

test('every defect is in the one answer, by position; no class hides another', () => {
  const validation = validatePlan(plan, { now: '2026-01-01T00:00:00Z' });
  expect(
    validation.ok ? [] : validation.issues.map(({ code, path }) => `${path}: ${code}`),
  ).toEqual([
    'goal: missing-key',
    'schedule: invalid-value',
    'budget.tokens: invalid-value',
    'tasks[0].description: wrong-type',
    'tasks[0].depends_on[0]: not-later',
    'tasks[0].depends_on[0]: cycle',
    'tasks[1].depends_on[1]: unknown-upstream',
    'tasks[2].dependson: unknown-key',
    'tasks[3].id: duplicate-id',
    'tasks[3].parallel_group: invalid-group',
    'tasks[3].created_at: invalid-created-at',
    'tasks[4]: not-an-object',
    'tasks[5].id: invalid-id',
    'tasks[5].assigned_to: alias-conflict',
    'tasks[5].writes[0]: invalid-path',
    'tasks[5].status: invalid-value',
    'tasks[5].attempts: invalid-attempts',
    'gaol: unknown-key',
  ]);
});

test('every issue has a reason and a way out', () => {
  const validation = validatePlan(plan, { now: '2026-01-01T00:00:00Z' });
  for (const { message, fix } of validation.ok ? [] : validation.issues) {
    expect(message).toMatch(/^[\x20-\x7e]{10,}$/u);
    expect(fix).toMatch(/^[A-Za-z][\x20-\x7e]+[.?]$/u);
  }
});
