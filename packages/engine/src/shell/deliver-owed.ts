import type { EscalationSink } from '../core/escalation.ts';
import { foldRun } from '../core/fold.ts';
import type { RunState } from '../core/state.ts';
import { bounded } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import { type Clock, systemClock } from './clock.ts';
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
  const record = recorder(state, runId, journal, clock);
  await deliverOwedOf(state, { sink, clock, record, publish: () => record.commit() });
  return state.undelivered.size;
}

interface Owing {
  readonly sink: EscalationSink;
  readonly clock: Clock;
  readonly record: Recorder;
  /** Makes what was recorded durable, and tells it. */
  readonly publish: () => Promise<unknown>;
}

/**
 * Hands over what a folded run owes, one after the other, each once: a sink that throws is asked again by the next
 * host, and behind one that hangs nothing else is waited for.
 */
export async function deliverOwedOf(
  state: RunState,
  { sink, clock, record, publish }: Owing,
): Promise<void> {
  for (const [key, escalation] of [...state.undelivered]) {
    const taken = await bounded(clock, BOUNDS.sinkMs, async () => {
      await sink(escalation, key);
    });
    if (taken.kind === 'timeout') return;
    if (taken.kind !== 'value') continue;
    record.step({ kind: 'delivered', key });
    await publish();
  }
}
