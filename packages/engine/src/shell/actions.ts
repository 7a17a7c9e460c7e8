import type { JsonValue } from '@atelier/envelope';
import type { RunEvent } from '../core/event.ts';
import { compareIds } from '../core/id-order.ts';
import type { Integration, RunInput } from '../core/input.ts';
import {
  acceptedWork,
  authorOf,
  type RunState,
  type TaskState,
  taskOf,
  underReview,
} from '../core/state.ts';
import { type Task, type TaskId, taskKey } from '../core/task.ts';
import type { Acceptance, AcceptedWork, CheckContext, IntegrationContext } from './acceptance.ts';
import { type Delivered, type Leftover, liveAttempt } from './attempt.ts';
import { bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { BriefingContext } from './briefing.ts';
import type { Delivery } from './delivery.ts';
import type { Observers } from './observers.ts';
import type { RunSetup } from './options.ts';
import { OVER } from './over.ts';

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
  /** Goes on with what an earlier host has left of an attempt. */
  adopt(taskId: TaskId, leftover: Leftover): void;
  /** Waits, bounded, for what is still being tidied up. */
  settle(): Promise<void>;
  /** Ends every worker and waits, bounded, until they are gone. */
  stopAll(): Promise<void>;
}

export function actions({ state, setup, observers, delivery, put }: ActionSeams): Actions {
  const interrupt = new AbortController();
  const live = new Set<Promise<void>>();
  const onSignal = (task: Task, attempt: number, signal: unknown) =>
    observers.signal({ kind: 'worker', taskId: task.id, attempt, signal });
  const final = setup.acceptance.integrate === undefined;

  const track = (work: Promise<unknown>) => {
    const tracked: Promise<void> = work.then(() => undefined).finally(() => live.delete(tracked));
    live.add(tracked);
  };

  const launch = (taskId: TaskId, leftover?: Leftover) => {
    const context = contextOf(state, taskId);
    const { attempt } = context;
    const checks = checksOf(state, context, put);
    const seams = {
      ...{ ...setup, checks, interrupt: interrupt.signal, onSignal },
      onSpawned: (worker: JsonValue | undefined) =>
        put({ kind: 'spawned', taskId, attempt, ...(worker === undefined ? {} : { worker }) }),
      onReplied: ({ reply, usage }: Delivered) =>
        put({ kind: 'replied', taskId, attempt, reply, ...(usage && { usage }) }),
    };
    const life = liveAttempt(context, seams, leftover).then((end) =>
      put({ kind: 'ended', taskId, attempt, final, ...end }),
    );
    track(life);
  };

  /** Nobody waits for it but the end of the run: the next attempt has a workspace of its own. */
  const release = ({ taskId, attempt }: { readonly taskId: TaskId; readonly attempt: number }) => {
    const { transport, runId, clock } = setup;
    // A changed plan may not have it any more.
    const task = state.tasks.get(taskKey(taskId))?.task ?? { id: taskId };
    if (transport.release)
      track(bounded(clock, BOUNDS.releaseMs, () => transport.release?.({ runId, task, attempt })));
  };

  return {
    adopt: launch,
    act(event) {
      if (event.type === 'attempt.started') launch(event.taskId);
      else if (event.type === 'attempt.accepted' || event.type === 'attempt.closed') release(event);
      else if (event.type === 'escalation.raised') delivery.deliver(event.key, event.escalation);
      else if (event.type === 'run.interrupted') interrupt.abort();
      else if (event.type === 'integration.started') {
        track(integrate(state, { setup, interrupt: interrupt.signal, put }).then(put));
      }
    },
    async settle() {
      await bounded(setup.clock, BOUNDS.releaseMs, () => Promise.all(live));
    },
    async stopAll() {
      interrupt.abort();
      await bounded(setup.clock, 2 * BOUNDS.stopMs, () => Promise.all(live));
    },
  };
}

/** Everything that is known of the attempt that a task is at. */
export function contextOf(state: RunState, taskId: TaskId): BriefingContext {
  const own = taskOf(state, taskId);
  const { task, attempts, nonce = '', closure, upstreams } = own;
  const author = underReview(state, own);
  const upstream = upstreams.flatMap((key) => {
    const { task, reply, evidence } = taskOf(state, key);
    if (!reply || key === author?.key) return [];
    return [{ taskId: task.id, reply, ...(evidence === undefined ? {} : { evidence }) }];
  });
  const [review] = author ? worksOf([author]) : [];
  return {
    ...{ runId: state.runId, task, attempt: attempts, nonce, upstream },
    ...(closure ? { previous: closure } : {}),
    ...(review ? { review } : {}),
  };
}

/** What the next attempt would be given, were it the first: how earlier ones ended is no part of what it depends on. */
export function contextOfNext(state: RunState, taskId: TaskId): BriefingContext {
  const { previous: _, attempt, ...context } = contextOf(state, taskId);
  return { ...context, attempt: attempt + 1, nonce: '' };
}

function checksOf(
  state: RunState,
  { task: { id: taskId }, attempt }: BriefingContext,
  put: (input: RunInput) => void,
): (signal: AbortSignal) => CheckContext {
  const holds = (task: TaskState) =>
    (task.phase === 'accepted' || task.phase === 'reviewing') && !authorOf(state, task);
  return (signal) => ({
    signal,
    passed: new Map(taskOf(state, taskId).checks),
    pass: (stage, evidence) =>
      put({
        ...{ kind: 'checked', taskId, attempt, stage },
        ...(evidence === undefined ? {} : { evidence }),
      }),
    // Gathered when it is asked for: the wave goes on meanwhile, and most attempts of a large one never ask.
    get siblings() {
      const wave = state.wave?.keys.flatMap((key) => state.tasks.get(key) ?? []) ?? [];
      return worksOf(wave.filter(holds));
    },
  });
}

const worksOf = (tasks: readonly TaskState[]): AcceptedWork[] =>
  tasks.flatMap(({ task, attempts: attempt, reply, evidence }) =>
    reply ? [{ task, attempt, reply, ...(evidence === undefined ? {} : { evidence }) }] : [],
  );

interface IntegrationSeams {
  readonly setup: RunSetup;
  readonly interrupt: AbortSignal;
  readonly put: (input: RunInput) => void;
}

async function integrate(
  state: RunState,
  { setup, interrupt, put }: IntegrationSeams,
): Promise<RunInput> {
  const { wave, runId } = state;
  const { acceptance, clock, policy } = setup;
  if (!wave) return { kind: 'integrated', results: [] };
  const accepted = worksOf(acceptedWork(state).sort((a, b) => compareIds(a.task.id, b.task.id)));
  // Accepted under an acceptance that integrates, resumed under one that does not.
  const { integrate: merge = mergeAll } = acceptance;
  const cancel = new AbortController();
  const { index, group } = wave;
  const context: IntegrationContext = {
    signal: cancel.signal,
    passed: new Map(wave.checks),
    pass: (stage, evidence) =>
      put({
        ...{ kind: 'integration-checked', wave: index, stage },
        ...(evidence === undefined ? {} : { evidence }),
      }),
  };
  const done = await bounded(
    clock,
    // The work may be merged, tried and taken apart again, each step within a wall clock.
    policy.wallClockMs * (accepted.length + 2),
    () => merge({ runId, index, group }, accepted, context),
    interrupt,
  );
  cancel.abort(OVER);
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
