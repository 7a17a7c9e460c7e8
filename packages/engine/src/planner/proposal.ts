import type { Plan } from '../plan/plan.ts';
import type { PlanIssue } from '../plan/plan-issue.ts';

/** A proposal that is no plan, and all that is wrong with it. */
export interface RefusedProposal {
  /** As the agent wrote it. Foreign text. */
  readonly text: string;
  readonly issues: readonly PlanIssue[];
}

/** What one attempt is asked for. */
export interface ProposalRequest {
  readonly goal: string;
  /** From 1. */
  readonly number: number;
  /** The proposal before this one. */
  readonly refused?: RefusedProposal;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What one attempt came to. A text is only that until it has been parsed and checked. */
export type Proposal =
  | { readonly kind: 'proposed'; readonly text: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** What a proposed text is. */
export type ProposalVerdict =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly issues: readonly PlanIssue[] }
  /** Nothing that could be checked. One line, safe for a terminal. */
  | { readonly kind: 'unreadable'; readonly detail: string };
