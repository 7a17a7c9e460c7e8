import { canonicalInstant } from '../core/instant.ts';
import { type Finding, toIssue } from './finding.ts';
import { normalisedPlan } from './normalised-plan.ts';
import type { Plan } from './plan.ts';
import { planFindings } from './plan-findings.ts';
import type { PlanGates } from './plan-gates.ts';
import type { PlanIssue } from './plan-issue.ts';

export type PlanValidation =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly issues: readonly PlanIssue[] };

export interface PlanOptions extends PlanGates {
  /** ISO 8601: what an absent `created_at` stands for. Equal for all tasks, so that ids break the tie. */
  readonly now: string;
}

/**
 * Checks a plan document of unknown origin. The answer holds either the plan or all of its defects by position;
 * no input makes it throw. Of a plan with more tasks than its cap the tasks are not looked at.
 */
export function validatePlan(input: unknown, { now, ...gates }: PlanOptions): PlanValidation {
  try {
    const findings = [...clockFindings(now), ...planFindings(input, gates)];
    if (findings.length > 0) return { ok: false, issues: findings.map(toIssue) };
    return { ok: true, plan: normalisedPlan(input as Plan, now) };
  } catch {
    // Only an object with code of its own, such as a proxy, gets here.
    return { ok: false, issues: [toIssue(UNREADABLE)] };
  }
}

const UNREADABLE: Finding = {
  code: 'unreadable',
  at: [],
  message: 'the plan can not be read: one of its properties threw',
  fix: 'Hand in plain data, as a parser of JSON or YAML returns it.',
};

function* clockFindings(now: string): Generator<Finding> {
  if (typeof now === 'string' && canonicalInstant(now) !== undefined) return;
  yield {
    code: 'invalid-created-at',
    at: [],
    message: 'the moment of loading must be an ISO 8601 time',
    fix: 'Pass now as a text such as 2026-01-31T09:00:00Z.',
  };
}
