import { EngineError } from '../core/error.ts';
import type { RunState, TaskState } from '../core/state.ts';
import { type Task, taskKey } from '../core/task.ts';
import type { Actions } from './actions.ts';
import { bounded } from './bounded.ts';
import { BOUNDS } from './bounds.ts';
import type { RunSetup } from './options.ts';
import type { Recorder } from './recorder.ts';

/**
 * Goes on where the journal ends. A worker of the earlier host that the transport still knows keeps its
 * attempt; one that it does not know is a lost attempt, charged as it was.
 */
export async function resume(
  state: RunState,
  setup: RunSetup,
  record: Recorder,
  actions: Actions,
): Promise<void> {
  record.step({ kind: 'resume', policy: setup.policy, ...setup.about });
  for (const task of [...(state.wave?.running ?? [])].flatMap(
    (key) => state.tasks.get(key) ?? [],
  )) {
    const handle = await adopt(task, setup);
    const { id: taskId } = task.task;
    if (handle && !setup.takePlan) {
      actions.adopt(taskId, handle);
      continue;
    }
    // Its task may read differently now.
    if (handle)
      await bounded(setup.clock, BOUNDS.stopMs, () => handle.stop('the plan was changed'));
    const detail = handle
      ? 'ended because the plan was changed'
      : 'its worker did not survive the host';
    record.step({
      kind: 'ended',
      taskId,
      attempt: task.attempts,
      final: false,
      closure: { kind: 'failed', cause: handle ? 'interrupted' : 'lost', detail },
    });
  }
}

async function adopt({ task, attempts, nonce = '' }: TaskState, setup: RunSetup) {
  const { transport, runId, policy, clock } = setup;
  if (!transport.capabilities.adopt || !transport.adopt) return undefined;
  const cancel = new AbortController();
  const { wallClockMs } = policy;
  const order = { runId, task, attempt: attempts, nonce, briefing: '', wallClockMs };
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
