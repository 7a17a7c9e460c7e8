import type { RunEvent } from '../core/event.ts';
import type { RunInput } from '../core/input.ts';
import type { RunState } from '../core/state.ts';
import { type Task, type TaskId, taskKey } from '../core/task.ts';
import { type AttemptEnd, type Leftover, liveAttempt } from './attempt.ts';
import { noticesIn } from './audit.ts';
import { bounded } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import { checksOf } from './checks-of.ts';
import { contextOf } from './context-of.ts';
import { deadlines } from './deadlines.ts';
import type { Delivery } from './delivery.ts';
import { integrateWave } from './integrate-wave.ts';
import type { Observers } from './observers.ts';
import type { RunSetup } from './options.ts';

interface ActionSeams {
  readonly state: RunState;
  readonly setup: RunSetup;
  readonly observers: Observers;
  readonly delivery: Delivery;
  /** Takes what comes of an action. */
  readonly put: (input: RunInput) => void;
  /** Takes what nobody waits for: it becomes durable a little later. */
  readonly note: (input: RunInput) => void;
  /** Aborted when the run is over. */
  readonly over: AbortSignal;
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

export function actions({
  state,
  setup,
  observers,
  delivery,
  put,
  note,
  over,
}: ActionSeams): Actions {
  const interrupt = new AbortController();
  const live = new Set<Promise<void>>();
  const seams = {
    ...setup,
    ...{ put, interrupt: interrupt.signal, checks: checksOf(state, note) },
    deadlines: deadlines({ clock: setup.clock, interrupt: interrupt.signal, over }),
    onSignal: (task: Task, attempt: number, signal: unknown) =>
      observers.signal({ kind: 'worker', taskId: task.id, attempt, signal }),
  };
  const final = setup.acceptance.integrate === undefined;

  const noticed = ({ closure }: AttemptEnd) =>
    'reply' in closure ? noticesIn(setup.audit, { kind: 'reply', reply: closure.reply }) : {};

  const track = (work: Promise<unknown>) => {
    const tracked: Promise<void> = work.then(() => {
      live.delete(tracked);
    });
    live.add(tracked);
  };

  const launch = (taskId: TaskId, leftover?: Leftover) => {
    const context = contextOf(state, taskId);
    const { attempt } = context;
    const life = liveAttempt(context, seams, leftover).then((end) =>
      put({ kind: 'ended', taskId, attempt, final, ...end, ...noticed(end) }),
    );
    track(life);
  };

  /** Nobody waits for it but the end of the run: the next attempt has a workspace of its own. */
  const release = ({ taskId, attempt }: { readonly taskId: TaskId; readonly attempt: number }) => {
    const { transport, runId, clock } = setup;
    if (!transport.release) return;
    // A changed plan may not have it any more.
    const task = state.tasks.get(taskKey(taskId))?.task ?? { id: taskId };
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
        track(integrateWave(state, { setup, interrupt: interrupt.signal, put }).then(put));
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
