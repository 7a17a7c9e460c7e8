import type { Integration, RunInput } from '../core/decide.ts';
import type { RunEvent } from '../core/event.ts';
import { compareIds } from '../core/id-order.ts';
import { type RunState, taskOf } from '../core/state.ts';
import type { Task, TaskId } from '../core/task.ts';
import type { Acceptance, AcceptedWork } from './acceptance.ts';
import { liveAttempt } from './attempt.ts';
import { bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { BriefingContext } from './briefing.ts';
import type { Delivery } from './delivery.ts';
import type { Observers } from './observers.ts';
import type { RunSetup } from './options.ts';
import type { AttemptHandle } from './transport.ts';

interface ActionSeams {
  readonly state: RunState;
  readonly setup: RunSetup;
  readonly observers: Observers;
  readonly delivery: Delivery;
  /** Takes what comes of an action. */
  readonly put: (input: RunInput) => void;
}

/** What the outside is made to do once an event is durable. */
export interface Actions {
  /** Does what follows from the event, if anything. */
  act(event: RunEvent): void;
  /** Goes on with a worker that an earlier host started. */
  adopt(taskId: TaskId, handle: AttemptHandle): void;
  /** Ends every worker and waits, bounded, until they are gone. */
  stopAll(): Promise<void>;
}

export function actions({ state, setup, observers, delivery, put }: ActionSeams): Actions {
  const interrupt = new AbortController();
  const live = new Set<Promise<void>>();
  const onSignal = (task: Task, attempt: number, signal: unknown) =>
    observers.signal({ kind: 'worker', taskId: task.id, attempt, signal });
  const final = setup.acceptance.integrate === undefined;

  const launch = (taskId: TaskId, adopted?: AttemptHandle) => {
    const context = contextOf(state, taskId);
    const { attempt } = context;
    const seams = { ...setup, interrupt: interrupt.signal, onSignal };
    const life = liveAttempt(context, seams, adopted).then((end) =>
      put({ kind: 'ended', taskId, attempt, final, ...end }),
    );
    const tracked: Promise<void> = life.finally(() => live.delete(tracked));
    live.add(tracked);
  };

  return {
    adopt: launch,
    act(event) {
      if (event.type === 'attempt.started') launch(event.taskId);
      else if (event.type === 'escalation.raised') delivery.deliver(event.key, event.escalation);
      else if (event.type === 'run.interrupted') interrupt.abort();
      else if (event.type === 'integration.started') {
        const merging = integrate(state, setup, interrupt.signal).then(put);
        const tracked: Promise<void> = merging.finally(() => live.delete(tracked));
        live.add(tracked);
      }
    },
    async stopAll() {
      interrupt.abort();
      await bounded(setup.clock, 2 * BOUNDS.stopMs, () => Promise.all(live));
    },
  };
}

function contextOf(state: RunState, taskId: TaskId): BriefingContext {
  const { task, attempts, nonce = '', closure, upstreams } = taskOf(state, taskId);
  const upstream = upstreams.flatMap((key) => {
    const { task, reply } = taskOf(state, key);
    return reply ? [{ taskId: task.id, reply }] : [];
  });
  const previous = closure === undefined ? {} : { previous: closure };
  return { runId: state.runId, task, attempt: attempts, nonce, upstream, ...previous };
}

async function integrate(
  state: RunState,
  setup: RunSetup,
  interrupt: AbortSignal,
): Promise<RunInput> {
  const { wave, runId } = state;
  const { acceptance, clock, policy } = setup;
  if (!wave) return { kind: 'integrated', results: [] };
  const accepted: AcceptedWork[] = [...wave.accepted]
    .map((key) => taskOf(state, key))
    .sort((a, b) => compareIds(a.task.id, b.task.id))
    .flatMap(({ task, attempts: attempt, reply, evidence }) =>
      reply ? [{ task, attempt, reply, ...(evidence === undefined ? {} : { evidence }) }] : [],
    );
  // Accepted under an acceptance that integrates, resumed under one that does not.
  const { integrate: merge = mergeAll } = acceptance;
  const cancel = new AbortController();
  const { index, group } = wave;
  const done = await bounded(
    clock,
    policy.wallClockMs,
    () => merge({ runId, index, group }, accepted, cancel.signal),
    interrupt,
  );
  cancel.abort();
  if (done.kind !== 'value')
    return { kind: 'integration-failed', detail: `integration failed: ${whyNot(done)}` };
  if (Array.isArray(done.value))
    return { kind: 'integrated', results: done.value.filter(namesTask) };
  return { kind: 'integration-failed', detail: 'integration failed: no list of verdicts' };
}

const mergeAll: NonNullable<Acceptance['integrate']> = (_wave, accepted) =>
  accepted.map(({ task }) => ({ kind: 'merged', taskId: task.id }));

const namesTask = (result: Integration | undefined): result is Integration =>
  typeof result?.taskId === 'string' || typeof result?.taskId === 'number';
