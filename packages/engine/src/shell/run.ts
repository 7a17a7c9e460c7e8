import { decide } from '../core/decide.ts';
import type { Escalation } from '../core/escalation.ts';
import type { Parking, Verdict } from '../core/event.ts';
import { foldRun } from '../core/fold.ts';
import type { RunInput } from '../core/input.ts';
import { type Outcome, outcomesOf } from '../core/outcome.ts';
import { preflight } from '../core/preflight.ts';
import type { RunState } from '../core/state.ts';
import type { Task } from '../core/task.ts';
import { actions } from './actions.ts';
import { admission } from './admission.ts';
import type { Clock } from './clock.ts';
import { deliverOwedOf } from './deliver-owed.ts';
import { delivery } from './delivery.ts';
import { mailbox } from './mailbox.ts';
import { observers } from './observers.ts';
import { type RunOptions, setUp } from './options.ts';
import { type Recorder, recorder } from './recorder.ts';
import { assertSameRun, takeOver } from './resume.ts';

/** What became of a run. */
export interface RunReport {
  readonly runId: string;
  /** `complete` when every live task ended done; `parked` and `interrupted` runs can be resumed. */
  readonly verdict: Verdict;
  /** One per live task, in `(parallel_group, id)` order. */
  readonly outcomes: readonly Outcome[];
  /** Every abandonment and held task of the run, and each time it was parked, in the order they happened. */
  readonly escalations: readonly Escalation[];
  /** Attempts charged by the run. */
  readonly dispatches: number;
  readonly parking?: Parking;
  /** Escalations that the sink has not taken; they are in the journal. */
  readonly undelivered: number;
  /** Times a listener threw. */
  readonly observerErrors: number;
}

/**
 * Runs the tasks wave by wave until each has ended or the run can not go on. Throws before anything is
 * dispatched on a caller's mistake (`INVALID_POLICY`, `NULL_PARALLEL_GROUP`, `INVALID_TASKS`,
 * `NOT_IMPLEMENTED`, `STALL_UNSUPPORTED`, `RUN_MISMATCH`), and `JOURNAL_FAILED`, with every worker
 * ended, when the record can not be kept. Whatever else a seam does becomes an outcome.
 */
export async function run(tasks: readonly Task[], options: RunOptions): Promise<RunReport> {
  const fresh = setUp(options);
  const { clock, journal, runId, signal } = fresh;
  const state = foldRun(await journal.load(runId));
  const started = state.seq > 0;
  // A run keeps the policy that it has; a resumption changes what it names.
  const setup = started
    ? setUp({ ...options, journal, runId, policy: { ...state.policy, ...options.policy } })
    : fresh;
  if (started && !setup.takePlan) assertSameRun(state, tasks, setup.policy);
  else preflight(tasks);

  const inbox = mailbox<RunInput>();
  const over = new AbortController();
  const record = recorder(state, runId, journal, clock);
  const watching = observers(setup);
  const outbox = delivery({
    ...{ sink: setup.sink, clock },
    onDelivered: (key) => inbox.put({ kind: 'delivered', key }),
  });
  let isToRing = false;
  const note = (input: RunInput) => {
    inbox.leave(input);
    if (isToRing) return;
    isToRing = true;
    void clock.sleep(NOTE_MS, over.signal).then(() => {
      isToRing = false;
      inbox.ring();
    });
  };
  const acting = actions({
    ...{ state, setup, observers: watching, delivery: outbox },
    ...{ put: inbox.put, note, over: over.signal },
  });
  const wake = () => inbox.put({ kind: 'advance' });
  const admit = admission({ state, setup, record, observers: watching, wake, over: over.signal });
  const publish = async () => {
    for (const event of await record.commit()) {
      watching.event(event);
      acting.act(event);
    }
  };
  const report = () => reportOf(state, watching.errors());
  if (state.verdict === 'complete' || state.verdict === 'abandoned') {
    await deliverOwedOf(state, { sink: setup.sink, clock, record, publish });
    return report();
  }

  const interrupt = () => inbox.put({ kind: 'interrupt', reason: 'the run was told to stop' });
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    for (const [key, escalation] of state.undelivered) outbox.deliver(key, escalation);
    if (started) {
      record.step({ kind: 'resume', policy: setup.policy, ...setup.about });
      await publish();
      const plan = setup.takePlan ? stamped(tasks, clock) : undefined;
      await takeOver(state, setup, { record, actions: acting, plan });
    } else
      record.step({
        kind: 'start',
        tasks: stamped(tasks, clock),
        policy: setup.policy,
        ...setup.about,
      });
    for (const input of inbox.poll()) record.step(input);
    for (;;) {
      const finishing = bookkeep(state, record);
      const decided = !finishing && (await admit());
      await publish();
      if (finishing) break;
      for (const input of decided ? inbox.poll() : await inbox.take()) record.step(input);
    }
    await outbox.drain();
    await acting.settle();
    for (const input of inbox.poll()) record.step(input);
    record.step({ kind: 'advance' });
    await publish();
    return report();
  } catch (error) {
    await acting.stopAll();
    throw error;
  } finally {
    over.abort();
    signal.removeEventListener('abort', interrupt);
  }
}

/** A passed stage is made durable together with what comes next, or after so long: most take a few milliseconds each. */
const NOTE_MS = 25;

/** Takes every step that waits for nobody. True when the only step left is the last. */
function bookkeep(state: RunState, record: Recorder): boolean {
  for (;;) {
    const facts = decide(state, { kind: 'advance' });
    if (facts.length === 0) return false;
    if (facts[0]?.type === 'run.finished') return true;
    record.record(facts);
  }
}

/** A row without `created_at` is as old as the run. */
function stamped(tasks: readonly Task[], clock: Clock): Task[] {
  const now = new Date(clock.wall()).toISOString();
  return tasks.map((task) => ({ ...task, created_at: task.created_at ?? now }));
}

function reportOf(state: RunState, observerErrors: number): RunReport {
  const { paused, verdict = 'interrupted' } = state;
  return {
    runId: state.runId,
    verdict,
    outcomes: outcomesOf(state),
    escalations: [...state.escalations],
    dispatches: state.dispatches,
    ...(verdict === 'parked' && paused?.kind === 'parked' ? { parking: paused.parking } : {}),
    undelivered: state.undelivered.size,
    observerErrors,
  };
}
