import type { JsonValue } from '@atelier/envelope';
import type { Closure, FailCause, Usage } from '../core/closure.ts';
import type { Policy } from '../core/policy.ts';
import type { Task } from '../core/task.ts';
import type { Acceptance, CheckContext } from './acceptance.ts';
import { bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Briefing, BriefingContext } from './briefing.ts';
import type { Clock } from './clock.ts';
import type { AttemptHandle, Transport, WorkOrder } from './transport.ts';
import { watchWorker } from './worker.ts';

/** The end of one attempt: worker, checks and all. */
export interface AttemptEnd {
  readonly closure: Closure;
  readonly usage?: Usage;
  readonly evidence?: JsonValue;
}

interface AttemptSeams {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly acceptance: Acceptance;
  readonly briefing: Briefing;
  /** What the checks of this attempt may draw on. */
  readonly checks: (signal: AbortSignal) => CheckContext;
  readonly interrupt: AbortSignal;
  readonly onSignal: (task: Task, attempt: number, signal: unknown) => void;
}

/**
 * The life of one charged attempt: brief, start, wait, check. The wall clock runs from here, briefing
 * and spawn included. Never rejects.
 */
export async function liveAttempt(
  context: BriefingContext,
  seams: AttemptSeams,
  adopted?: AttemptHandle,
): Promise<AttemptEnd> {
  const { clock, policy, transport } = seams;
  const charged = clock.now();
  const briefing = adopted
    ? ({ kind: 'value', value: '' } as const)
    : await bounded(clock, policy.wallClockMs, () => seams.briefing(context), seams.interrupt);
  if (briefing.kind !== 'value')
    return failed(briefing.kind === 'cut' ? 'interrupted' : 'briefing', whyNot(briefing));
  if (seams.interrupt.aborted)
    return failed('interrupted', 'the run was told to stop before it started');
  const { task, attempt } = context;
  const wallClockMs = Math.max(0, policy.wallClockMs - (clock.now() - charged));
  const order = orderOf(context, { briefing: briefing.value, wallClockMs });
  const end = await watchWorker(order, {
    clock,
    policy,
    open: async (signal) => adopted ?? transport.start(order, signal),
    interrupt: seams.interrupt,
    onSignal: (signal) => seams.onSignal(task, attempt, signal),
  });
  // A review is a verdict, not work: there is nothing to check in it.
  return end.closure.kind === 'done' && !order.review ? check(order, end, seams) : end;
}

/** What a worker is handed: the part of the context that is not for its briefing alone. */
export function orderOf(
  { runId, task, attempt, nonce, previous, review }: BriefingContext,
  rest: Pick<WorkOrder, 'briefing' | 'wallClockMs'>,
): WorkOrder {
  return {
    ...{ runId, task, attempt, nonce, ...rest },
    ...(previous ? { previous } : {}),
    ...(review ? { review } : {}),
  };
}

/** Guards and checks, bounded by a wall clock of their own. */
async function check(
  order: WorkOrder,
  end: AttemptEnd,
  { acceptance, clock, policy, checks, interrupt }: AttemptSeams,
): Promise<AttemptEnd> {
  if (end.closure.kind !== 'done') return end;
  const { reply } = end.closure;
  const cancel = new AbortController();
  const checked = await bounded(
    clock,
    // A command of the checks has a wall clock of its own, and is ended by whoever runs it.
    policy.wallClockMs + 2 * BOUNDS.stopMs,
    () => acceptance.accept(order, reply, checks(cancel.signal)),
    interrupt,
  );
  cancel.abort();
  const usage = end.usage === undefined ? {} : { usage: end.usage };
  if (checked.kind !== 'value') {
    const cause = checked.kind === 'cut' ? 'interrupted' : 'acceptance';
    return { ...failed(cause, whyNot(checked)), ...usage };
  }
  const verdict = checked.value;
  if (verdict?.kind === 'accepted')
    return verdict.evidence === undefined ? end : { ...end, evidence: verdict.evidence };
  const { cause = 'acceptance', detail = 'no verdict', findings } = verdict ?? {};
  const more = findings === undefined ? {} : { findings };
  return { closure: { kind: 'failed', cause, detail, ...more }, ...usage };
}

const failed = (cause: FailCause, detail: string): AttemptEnd => ({
  closure: { kind: 'failed', cause, detail },
});
