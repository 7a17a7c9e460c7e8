import type { Task } from '@atelier/engine';
import { PROPOSALS, type Proposal, type ProposalVerdict } from '@atelier/engine/plan';
import { newRunId } from '../compose/run-id.ts';
import { type OneAttempt, oneAttempt } from './one-attempt.ts';
import { PLANNING } from './only-reads.ts';

/** Names for the runs of one planning, by the number of the proposal. */
export function planningIds(): (number: number) => string {
  const id = newRunId();
  return (number) => `${PLANNING}${id}-${number}`;
}

/** The one task of a planning run. It may be dispatched once: what a refusal means is decided outside of the run. */
export const planningTask = (goal: string): Task => ({
  id: 'plan',
  parallel_group: 1,
  title: 'Propose a plan',
  description: goal,
  phase: 'plan',
  writes: [],
});

export interface PlanningRun extends Pick<OneAttempt, 'runId' | 'seams'> {
  readonly goal: string;
  /** From 1. */
  readonly number: number;
  readonly judge: (text: string) => ProposalVerdict;
}

/**
 * One proposal as a run of one attempt. What can not be read at all, and a last proposal with defects, are abandoned with
 * an escalation; a first one that goes back is not.
 */
export async function planningRun(given: PlanningRun): Promise<Proposal> {
  const { runId, goal, number, judge, seams } = given;
  const { text, fault = '' } = await oneAttempt({
    ...{ runId, seams, task: planningTask(goal) },
    judge: (proposed) => faultOf(judge(proposed), number === PROPOSALS),
  });
  return text === undefined ? { kind: 'failed', detail: fault } : { kind: 'proposed', text };
}

function faultOf(verdict: ProposalVerdict, isLast: boolean): string | undefined {
  if (verdict.kind === 'unreadable') return `the proposal is no document: ${verdict.detail}`;
  if (verdict.kind === 'plan' || !isLast) return undefined;
  const [first] = verdict.issues;
  return `the proposed plan is refused with ${verdict.issues.length} defects, the first: ${first?.message}`;
}
