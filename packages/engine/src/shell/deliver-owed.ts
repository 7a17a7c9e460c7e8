import type { EscalationSink } from '../core/escalation.ts';
import { foldRun } from '../core/fold.ts';
import type { RunInput } from '../core/input.ts';
import type { RunState } from '../core/state.ts';
import { type Clock, systemClock } from './clock.ts';
import { delivery } from './delivery.ts';
import type { Journal } from './journal.ts';
import { type Recorder, recorder } from './recorder.ts';

/** Whose escalations, and to whom. */
export interface Owed {
  readonly runId: string;
  readonly journal: Journal;
  readonly sink: EscalationSink;
  readonly clock?: Clock;
}

/**
 * Hands over what a run owes to its sink, whether or not it has ended, and resolves to how many it still owes.
 * A sink sees an escalation again that it took right before a crash: the key tells. Only while nobody drives the run.
 */
export async function deliverOwed({
  runId,
  journal,
  sink,
  clock = systemClock,
}: Owed): Promise<number> {
  const state = foldRun(await journal.load(runId));
  if (state.undelivered.size > 0)
    await settleDebts(state, { sink, clock, record: recorder(state, runId, journal, clock) });
  return state.undelivered.size;
}

interface Settlement {
  readonly sink: EscalationSink;
  readonly clock: Clock;
  readonly record: Recorder;
}

/** The same for a run that is folded already. */
export async function settleDebts(
  state: RunState,
  { sink, clock, record }: Settlement,
): Promise<void> {
  const taken: RunInput[] = [];
  const outbox = delivery({
    sink,
    clock,
    onDelivered: (key) => taken.push({ kind: 'delivered', key }),
  });
  for (const [key, escalation] of state.undelivered) outbox.deliver(key, escalation);
  await outbox.drain();
  for (const input of taken) record.step(input);
  await record.commit();
}
