import { printable } from '@atelier/envelope';
import type { Plan } from '../plan/plan.ts';
import type { PlanIssue } from '../plan/plan-issue.ts';
import { type Judging, judgeProposal } from './judge-proposal.ts';
import type { Proposal, ProposalRequest, RefusedProposal } from './proposal.ts';

/** Proposals of one planning: a first, and one more when that was a document with defects. */
export const PROPOSALS = 2;

export interface PlannerOptions extends Judging {
  /** One attempt of an agent. What it throws is a failed one. */
  readonly propose: (request: ProposalRequest) => Promise<Proposal>;
  readonly signal?: AbortSignal;
}

/** What a person gets when no plan came of it. */
export interface PlannerEscalation {
  /**
   * `synthesis-failure`: an attempt failed, or its text holds no document; it is not tried again. `dag-invalid`: the
   * last proposal, too, was refused.
   */
  readonly kind: 'synthesis-failure' | 'dag-invalid';
  /** One line, safe for a terminal. */
  readonly detail: string;
  /** Every defect of the last proposal; none where it was not a document. */
  readonly issues: readonly PlanIssue[];
  /** Proposals that were asked for. */
  readonly attempts: number;
  /** What was proposed and refused, in order. */
  readonly refused: readonly RefusedProposal[];
  /** The text of the last proposal, where there was one. Foreign text. */
  readonly last?: string;
}

export type PlannerEnd =
  | { readonly kind: 'planned'; readonly plan: Plan; readonly attempts: number }
  | { readonly kind: 'escalated'; readonly escalation: PlannerEscalation }
  | { readonly kind: 'interrupted'; readonly attempts: number };

/**
 * A plan for a goal, as an agent proposes it. A refused proposal goes back once, with all of its defects; then a person
 * is asked. Dispatches nothing itself and never rejects.
 */
export async function planFromAgent(options: PlannerOptions): Promise<PlannerEnd> {
  const { goal, propose, signal = new AbortController().signal } = options;
  const refused: RefusedProposal[] = [];
  for (let number = 1; ; number += 1) {
    if (signal.aborted) return { kind: 'interrupted', attempts: number - 1 };
    const previous = refused.at(-1);
    const proposal = await settled(() =>
      propose({ goal, number, signal, ...(previous ? { refused: previous } : {}) }),
    );
    if (proposal.kind === 'failed') {
      if (signal.aborted) return { kind: 'interrupted', attempts: number };
      return failure(`no proposal: ${printable(proposal.detail)}`, number, { refused });
    }
    const { text } = proposal;
    const verdict = judgeProposal(text, options);
    if (verdict.kind === 'plan') return { kind: 'planned', plan: verdict.plan, attempts: number };
    if (verdict.kind === 'unreadable')
      return failure(`the proposal is no document: ${verdict.detail}`, number, {
        refused,
        last: text,
      });
    const { issues } = verdict;
    refused.push({ text, issues });
    if (number < PROPOSALS) continue;
    return {
      kind: 'escalated',
      escalation: {
        kind: 'dag-invalid',
        detail: `${number} proposals were refused; the last has ${counted(issues.length, 'defect')}`,
        ...{ issues, attempts: number, refused, last: text },
      },
    };
  }
}

async function settled(propose: () => Promise<Proposal>): Promise<Proposal> {
  try {
    return await propose();
  } catch (error) {
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

const failure = (
  detail: string,
  attempts: number,
  rest: Pick<PlannerEscalation, 'refused' | 'last'>,
): PlannerEnd => ({
  kind: 'escalated',
  escalation: { kind: 'synthesis-failure', detail, issues: [], attempts, ...rest },
});

const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : 's'}`;
