import {
  type Closure,
  closureStatus,
  type RunEvent,
  type RunOptions,
  run,
  type Task,
} from '@atelier/engine';
import { PROPOSALS, type Proposal, type ProposalVerdict } from '@atelier/engine/plan';
import { newRunId } from '../compose/run-id.ts';

/** What the names of planning runs begin with. */
const PREFIX = 'plan-';

/** Whether a run of that name is one attempt at a plan, and not the work of one. */
export const isPlanning = (runId: string): boolean => runId.startsWith(PREFIX);

/** Names for the runs of one planning, by the number of the proposal. */
export function planningIds(): (number: number) => string {
  const id = newRunId();
  return (number) => `${PREFIX}${id}-${number}`;
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

export interface PlanningRun {
  readonly runId: string;
  readonly goal: string;
  /** From 1. */
  readonly number: number;
  readonly judge: (text: string) => ProposalVerdict;
  /** What the run is put together from. */
  readonly seams: Omit<RunOptions, 'runId' | 'policy' | 'acceptance'>;
}

/**
 * One proposal as a run of one attempt: charged, watched and recorded like any other. What can not be read at all, and a
 * last proposal with defects, are abandoned with an escalation; a first one that goes back is not.
 */
export async function planningRun(given: PlanningRun): Promise<Proposal> {
  const { runId, goal, number, judge, seams } = given;
  let text: string | undefined;
  let closure: Closure | undefined;
  const report = await run([planningTask(goal)], {
    ...seams,
    runId,
    policy: { maxAttempts: 1, maxWorkers: 1 },
    onEvent: (event: RunEvent) => {
      if (event.type === 'attempt.closed') closure = event.closure;
      seams.onEvent?.(event);
    },
    acceptance: {
      accept(_order, { notes_md: notes }) {
        text = typeof notes === 'string' ? notes : '';
        const detail = faultOf(judge(text), number === PROPOSALS);
        return detail === undefined
          ? { kind: 'accepted' }
          : { kind: 'refused', cause: 'verify', detail };
      },
    },
  });
  if (text !== undefined) return { kind: 'proposed', text };
  return { kind: 'failed', detail: report.parking?.detail ?? whyOf(closure) };
}

function faultOf(verdict: ProposalVerdict, isLast: boolean): string | undefined {
  if (verdict.kind === 'unreadable') return `the proposal is no document: ${verdict.detail}`;
  if (verdict.kind === 'plan' || !isLast) return undefined;
  const [first] = verdict.issues;
  return `the proposed plan is refused with ${verdict.issues.length} defects, the first: ${first?.message}`;
}

function whyOf(closure: Closure | undefined): string {
  if (!closure) return 'the attempt was not made';
  if (closure.kind === 'held' && typeof closure.reply.notes_md === 'string')
    return `${closure.status}: ${closure.reply.notes_md}`;
  if (closure.kind === 'abandoned') return `abandoned: ${closure.reason}`;
  return closureStatus(closure);
}
