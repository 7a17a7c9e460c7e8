import type { JsonValue, Reply } from '@atelier/envelope';
import type { Closure, FailCause, Usage } from '../core/closure.ts';
import type { RunInput } from '../core/input.ts';
import type { Policy } from '../core/policy.ts';
import type { Task } from '../core/task.ts';
import { type Acceptance, acceptAll, type CheckContext } from './acceptance.ts';
import { bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Briefing, BriefingContext } from './briefing.ts';
import type { Clock } from './clock.ts';
import type { Deadlines } from './deadlines.ts';
import { OVER } from './over.ts';
import type { AttemptHandle, Transport, WorkOrder } from './transport.ts';
import { watchWorker } from './worker.ts';

/** The end of one attempt: worker, checks and all. */
export interface AttemptEnd {
  readonly closure: Closure;
  readonly usage?: Usage;
  readonly evidence?: JsonValue;
}

/** A `done` that is to be checked. */
interface Delivered {
  readonly reply: Reply;
  readonly usage?: Usage;
}

/** What an earlier host has left of an attempt. */
export type Leftover =
  | { readonly kind: 'worker'; readonly handle: AttemptHandle }
  | { readonly kind: 'reply'; readonly delivered: Delivered };

interface AttemptSeams {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly policy: Policy;
  readonly acceptance: Acceptance;
  readonly briefing: Briefing;
  /** What the checks of an attempt may draw on. */
  readonly checks: (order: WorkOrder, signal: AbortSignal) => CheckContext;
  /** Takes how far the attempt has got. */
  readonly put: (input: RunInput) => void;
  readonly deadlines: Deadlines;
  readonly interrupt: AbortSignal;
  readonly onSignal: (task: Task, attempt: number, signal: unknown) => void;
}

/**
 * The life of one charged attempt: brief, start, wait, check. The wall clock runs from here, briefing
 * and spawn included; of an attempt that an earlier host began, what is left of it. Never rejects.
 */
export async function liveAttempt(
  context: BriefingContext,
  seams: AttemptSeams,
  leftover?: Leftover,
): Promise<AttemptEnd> {
  const { clock, policy, transport, acceptance, deadlines, interrupt, put } = seams;
  const { task, attempt } = context;
  const ofAttempt = { taskId: task.id, attempt };
  if (leftover?.kind === 'reply') {
    const { reply, usage } = leftover.delivered;
    const order = orderOf(context, { briefing: '', wallClockMs: policy.wallClockMs });
    const spent = usage === undefined ? {} : { usage };
    return check(order, { closure: { kind: 'done', reply }, ...spent }, seams);
  }
  const charged = clock.now();
  const adopted = leftover?.handle;
  const briefing = adopted
    ? ({ kind: 'value', value: '' } as const)
    : await bounded(clock, policy.wallClockMs, () => seams.briefing(context), interrupt);
  if (briefing.kind !== 'value')
    return failed(briefing.kind === 'cut' ? 'interrupted' : 'briefing', whyNot(briefing));
  if (interrupt.aborted) return failed('interrupted', 'the run was told to stop before it started');
  const wallClockMs = adopted
    ? leftOf(adopted, policy)
    : Math.max(0, policy.wallClockMs - (clock.now() - charged));
  const order = orderOf(context, { briefing: briefing.value, wallClockMs });
  const end = await watchWorker(order, {
    clock,
    policy,
    deadlines,
    open: async (signal) => {
      if (adopted) return adopted;
      const handle = await transport.start(order, signal);
      const worker = handle?.worker;
      put({ kind: 'spawned', ...ofAttempt, ...(worker === undefined ? {} : { worker }) });
      return handle;
    },
    onSignal: (signal) => seams.onSignal(task, attempt, signal),
  });
  // A review is a verdict, not work: there is nothing to check in it.
  if (end.closure.kind !== 'done' || order.review || acceptance === acceptAll) return end;
  const { closure, usage } = end;
  put({ kind: 'replied', ...ofAttempt, reply: closure.reply, ...(usage && { usage }) });
  return check(order, end, seams);
}

/** Whoever can not tell how long an adopted worker has run leaves it a whole wall clock. */
function leftOf({ wallClockLeftMs }: AttemptHandle, { wallClockMs }: Policy): number {
  const left = Number.isFinite(wallClockLeftMs) ? Number(wallClockLeftMs) : wallClockMs;
  return Math.min(wallClockMs, Math.max(0, left));
}

/** What a worker is handed: the part of the context that is not for its briefing alone. */
export function orderOf(
  { runId, task, attempt, nonce, terms, previous, review }: BriefingContext,
  rest: Pick<WorkOrder, 'briefing' | 'wallClockMs'>,
): WorkOrder {
  return {
    runId,
    task,
    attempt,
    nonce,
    ...rest,
    ...(terms ? { terms } : {}),
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
    () => acceptance.accept(order, reply, checks(order, cancel.signal)),
    interrupt,
  );
  cancel.abort(OVER);
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
