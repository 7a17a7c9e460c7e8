import { EngineError } from '../core/error.ts';
import { type RunState, underReview } from '../core/state.ts';
import { isClosed, type Task, type TaskId, taskKey } from '../core/task.ts';
import { type Actions, contextOf } from './actions.ts';
import { orderOf } from './attempt.ts';
import { bounded } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { BriefingContext } from './briefing.ts';
import type { RunSetup } from './options.ts';
import type { Recorder } from './recorder.ts';
import type { AttemptHandle } from './transport.ts';

interface TakeOver {
  readonly record: Recorder;
  readonly actions: Actions;
  /** The changed plan, if the run goes on with one. */
  readonly plan: readonly Task[] | undefined;
}

/**
 * Goes on where the journal ends. A worker of the earlier host that the transport still knows keeps its
 * attempt, unless its task reads differently now; one that it does not know is a lost attempt, charged as it
 * was.
 */
export async function takeOver(
  state: RunState,
  setup: RunSetup,
  { record, actions, plan }: TakeOver,
): Promise<void> {
  const planned = plan && new Map(plan.map((task) => [taskKey(task.id), task]));
  const first = plan && firstOpenGroup(state, plan);
  const adopted: { readonly taskId: TaskId; readonly handle: AttemptHandle }[] = [];
  for (const key of [...(state.wave?.running ?? [])]) {
    const task = state.tasks.get(key);
    if (!task) continue;
    const { id: taskId } = task.task;
    const handle = await adopt(contextOf(state, taskId), setup);
    // A changed plan begins every review anew.
    const same =
      !planned || (!underReview(state, task) && readsTheSame(task.task, planned.get(key)));
    if (handle && same && (first === undefined || task.task.parallel_group === first)) {
      adopted.push({ taskId, handle });
      continue;
    }
    if (handle)
      await bounded(setup.clock, BOUNDS.stopMs, () => handle.stop('its task was changed'));
    record.step({
      kind: 'ended',
      taskId,
      attempt: task.attempts,
      final: false,
      closure: {
        kind: 'failed',
        cause: handle ? 'interrupted' : 'lost',
        detail: handle
          ? 'ended because its task was changed'
          : 'its worker did not survive the host',
      },
    });
  }
  if (plan) record.step({ kind: 'take-plan', tasks: plan });
  for (const { taskId, handle } of adopted) actions.adopt(taskId, handle);
}

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

async function adopt(context: BriefingContext, setup: RunSetup) {
  const { transport, policy, clock } = setup;
  if (!transport.capabilities.adopt || !transport.adopt) return undefined;
  const cancel = new AbortController();
  const { wallClockMs } = policy;
  const order = orderOf(context, { briefing: '', wallClockMs });
  const found = await bounded(clock, BOUNDS.adoptMs, () => transport.adopt?.(order, cancel.signal));
  if (found.kind !== 'value') cancel.abort();
  return found.kind === 'value' ? found.value : undefined;
}

/** Throws `RUN_MISMATCH` when the journal's run was started with other tasks. */
export function assertSamePlan(state: RunState, tasks: readonly Task[]): void {
  const given = new Set(tasks.map((task) => taskKey(task.id)));
  const same = given.size === state.tasks.size && [...given].every((key) => state.tasks.has(key));
  if (same) return;
  throw new EngineError(
    'RUN_MISMATCH',
    `run ${state.runId} was started with other tasks`,
    'Resume it with the plan it was started with, or set takePlan to go on with this one.',
  );
}
