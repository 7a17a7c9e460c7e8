export { doomed } from '../core/doomed.ts';
export { type Judging, judgeProposal } from '../planner/judge-proposal.ts';
export {
  type PlannerEnd,
  type PlannerEscalation,
  type PlannerOptions,
  PROPOSALS,
  planFromAgent,
} from '../planner/plan-from-agent.ts';
export type {
  Proposal,
  ProposalRequest,
  ProposalVerdict,
  RefusedProposal,
} from '../planner/proposal.ts';
export { assertPlan, PlanError } from './assert-plan.ts';
export { PLAN_CAPS, type PlanCaps } from './caps.ts';
export { closestName } from './closest-name.ts';
export { commandsOf, type PlanCommand } from './commands-of.ts';
export type { Plan, PlanBudget, PlanWorktree } from './plan.ts';
export type { PlanGates } from './plan-gates.ts';
export type { PlanIssue, PlanIssueCode } from './plan-issue.ts';
export {
  type PlanPreview,
  type PreviewOptions,
  type PreviewTask,
  type PreviewWave,
  previewPlan,
} from './preview-plan.ts';
export type { PreviewWarning } from './preview-warning.ts';
export { type Proof, proofOf } from './proof.ts';
export { type PlanOptions, type PlanValidation, validatePlan } from './validate-plan.ts';
