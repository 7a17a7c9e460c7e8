import { EngineError } from '../core/error.ts';
import type { Plan } from './plan.ts';
import type { PlanIssue } from './plan-issue.ts';
import { type PlanOptions, validatePlan } from './validate-plan.ts';

/** Defects a message spells out before it only counts; `issues` has all. */
const LISTED = 20;

/** A plan was refused; `code` is `INVALID_PLAN`. */
export class PlanError extends EngineError {
  override readonly name: string = 'PlanError';
  /** Every defect, by position. */
  readonly issues: readonly PlanIssue[];

  constructor(issues: readonly PlanIssue[]) {
    const rest = issues.length - LISTED;
    const messages = issues.slice(0, LISTED).map(({ message }) => message);
    super(
      'INVALID_PLAN',
      `plan refused: ${[...messages, ...(rest > 0 ? [`${rest} more`] : [])].join('; ')}`,
      'Each issue carries its path and its fix.',
    );
    this.issues = issues;
  }
}

/** The checked plan, or a {@link PlanError} with all of its defects. */
export function assertPlan(input: unknown, options: PlanOptions): Plan {
  const validation = validatePlan(input, options);
  if (!validation.ok) throw new PlanError(validation.issues);
  return validation.plan;
}
