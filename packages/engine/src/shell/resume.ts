import type { FailedClosure } from '../core/closure.ts';
import { EngineError } from '../core/error.ts';
import type { Policy } from '../core/policy.ts';
import { type RunState, type TaskState, underReview } from '../core/state.ts';
import { isClosed, type Task, type TaskId, taskKey } from '../core/task.ts';
import type { Actions } from './actions.ts';
import { type Leftover, orderOf } from './attempt.ts';
import { bounded, whyNot } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { Clock } from './clock.ts';
import { contextOf } from './context-of.ts';
import type { RunSetup } from './options.ts';
import type { Recorder } from './recorder.ts';

interface TakeOver {
  readonly record: Recorder;
  readonly actions: Actions;
  /** The changed plan, if the run goes on with one. */
  readonly plan: readonly Task[] | undefined;
}

/**
 * Goes on where the journal ends. A worker of the earlier host that the transport still knows keeps its
 * attempt, and one that has delivered goes on with its checks, unless its task reads differently now. One that the
 * transport does not know is a lost attempt, charged as it was; where the transport can not even tell, the
 * task is given up: its worker may still run.
 */
export async function takeOver(
  state: RunState,
  setup: RunSetup,
  { record, actions, plan }: TakeOver,
): Promise<void> {
  const planned = plan && new Map(plan.map((task) => [taskKey(task.id), task]));
  const first = plan && firstOpenGroup(state, plan);
  const staysAsItWas = (task: TaskState): boolean => {
    if (!planned) return true;
    // A changed plan begins every review anew.
    if (underReview(state, task) || !readsTheSame(task.task, planned.get(task.key))) return false;
    return first === undefined || task.task.parallel_group === first;
  };
  const running = [...(state.wave?.running ?? [])].flatMap((key) => state.tasks.get(key) ?? []);
  const found = await Promise.all(
    running.map(async (task) => ({ task, left: await leftOf(state, task, setup) })),
  );
  const kept: { readonly taskId: TaskId; readonly leftover: Leftover }[] = [];
  for (const { task, left } of found) {
    const { id: taskId } = task.task;
    if (left.kind !== 'failed' && staysAsItWas(task)) {
      kept.push({ taskId, leftover: left });
      continue;
    }
    const closure = left.kind === 'failed' ? left : await endChanged(left, setup.clock);
    record.step({ kind: 'ended', taskId, attempt: task.attempts, final: false, closure });
  }
  if (plan) record.step({ kind: 'take-plan', tasks: plan });
  for (const { taskId, leftover } of kept) actions.adopt(taskId, leftover);
}

/** Nothing else is known of a worker that could not be ended, so that its task is not dispatched beside it. */
async function endChanged(left: Leftover, clock: Clock): Promise<FailedClosure> {
  if (left.kind === 'reply') return CHANGED;
  const stopped = await bounded(clock, BOUNDS.stopMs, () =>
    left.handle.stop('its task was changed'),
  );
  if (stopped.kind === 'value') return CHANGED;
  const detail = `${CHANGED.detail}, and the worker could not be ended: ${whyNot(stopped)}`;
  return { kind: 'failed', cause: 'unstoppable', detail };
}

const CHANGED: FailedClosure = {
  kind: 'failed',
  cause: 'interrupted',
  detail: 'ended because its task was changed',
};

const ENDED: ReadonlySet<unknown> = new Set(['complete', 'abandoned', 'held']);

/** The group whose wave will be open first; a worker of a later one would be ahead of the barrier. */
const firstOpenGroup = (state: RunState, plan: readonly Task[]): number =>
  plan
    .filter((task) => !isClosed(task) && !ENDED.has(state.tasks.get(taskKey(task.id))?.phase))
    .reduce(
      (least, { parallel_group }) => Math.min(least, parallel_group ?? least),
      Number.POSITIVE_INFINITY,
    );

/** The moment of loading is no part of what a task says. */
const readsTheSame = ({ created_at: _, ...before }: Task, after: Task | undefined): boolean => {
  const { created_at: __, ...now } = after ?? {};
  return JSON.stringify(before) === JSON.stringify(now);
};

async function leftOf(
  state: RunState,
  { task, replied }: TaskState,
  { transport, policy, clock }: RunSetup,
): Promise<Leftover | FailedClosure> {
  if (replied) return { kind: 'reply', delivered: replied };
  if (!transport.capabilities.adopt || !transport.adopt) return LOST;
  const cancel = new AbortController();
  const { wallClockMs } = policy;
  const order = orderOf(contextOf(state, task.id), { briefing: '', wallClockMs });
  const found = await bounded(clock, BOUNDS.adoptMs, () => transport.adopt?.(order, cancel.signal));
  if (found.kind === 'value') return found.value ? { kind: 'worker', handle: found.value } : LOST;
  cancel.abort();
  const detail = `whether its worker still runs can not be told: ${whyNot(found)}`;
  return { kind: 'failed', cause: 'unstoppable', detail };
}

const LOST: FailedClosure = {
  kind: 'failed',
  cause: 'lost',
  detail: 'its worker did not survive the host',
};

/** Throws `RUN_MISMATCH` when the journal's run was started with other tasks, or under another schedule. */
export function assertSameRun(
  state: RunState,
  tasks: readonly Task[],
  { schedule = 'parallel' }: Policy,
): void {
  const given = new Set(tasks.map((task) => taskKey(task.id)));
  const same = given.size === state.tasks.size && [...given].every((key) => state.tasks.has(key));
  const before = state.policy.schedule ?? 'parallel';
  if (same && schedule === before) return;
  throw new EngineError(
    'RUN_MISMATCH',
    same
      ? `run ${state.runId} was started with the schedule ${before}, not ${schedule}`
      : `run ${state.runId} was started with other tasks`,
    'Resume it with the plan it was started with, or set takePlan to go on with this one.',
  );
}
