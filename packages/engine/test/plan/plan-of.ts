import type { Task } from '../../src/core/task.ts';
import { type PlanIssue, validatePlan } from '../../src/plan/index.ts';

/** Bare task rows as a plan: with a goal, and with the texts a plan demands of each. */
export const planOf = (rows: readonly object[]): object => ({
  goal: 'g',
  tasks: rows.map((row) => ({ title: 'T', description: 'd', ...row })),
});

export function validate(
  rows: readonly object[],
  existing?: ReadonlySet<string>,
): {
  readonly tasks: readonly Task[];
  readonly issues: readonly PlanIssue[];
} {
  const validation = validatePlan(planOf(rows), {
    now: '2026-01-01T00:00:00Z',
    existing,
  });
  return validation.ok
    ? { tasks: validation.plan.tasks, issues: [] }
    : { tasks: [], issues: validation.issues };
}
