export { assertPlan, PlanError } from './assert-plan.ts';
export { closestName } from './closest-name.ts';
export type { Plan, PlanBudget, PlanWorktree } from './plan.ts';
export type { PlanIssue, PlanIssueCode } from './plan-issue.ts';
export {
  type PlanPreview,
  type PreviewOptions,
  type PreviewTask,
  type PreviewWarning,
  type PreviewWave,
  previewPlan,
} from './preview-plan.ts';
export { type Proof, proofOf } from './proof.ts';
export { type PlanOptions, type PlanValidation, validatePlan } from './validate-plan.ts';
