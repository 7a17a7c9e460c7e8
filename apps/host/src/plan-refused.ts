import type { RenderedIssue } from '@atelier/reporters';

/** A plan file that is not one, with every defect. */
export class PlanRefused extends Error {
  override readonly name: string = 'PlanRefused';
  readonly issues: readonly RenderedIssue[];

  constructor(issues: readonly RenderedIssue[]) {
    super(`the plan has ${issues.length} defects`);
    this.issues = issues;
  }
}
