import { type Escalation, SURVIVORS_LISTED, type SurvivingState } from './escalation.ts';
import type { RunFact } from './event.ts';
import { compareText } from './id-order.ts';
import type { RunState, TaskState } from './state.ts';
import { type TaskId, workerOf } from './task.ts';

interface Abandonment {
  readonly by: 'worker' | 'engine';
  readonly category: string;
  readonly lastStatus: string;
  readonly attempt: number;
  readonly upstreamId?: TaskId;
}

/** The two facts of every abandonment. They are one batch: none is ever recorded without the other. */
export function abandon(state: RunState, task: TaskState, why: Abandonment): RunFact[] {
  const { by, category, lastStatus, attempt, upstreamId = null } = why;
  const escalation = escalationOf(task, { category, lastStatus, attempt, upstreamId });
  const survivors = by === 'engine' ? survivingState(state) : undefined;
  return [
    {
      type: 'task.abandoned',
      taskId: task.task.id,
      attempt,
      by,
      category,
      lastStatus,
      upstreamId,
    },
    raise(state, task, survivors ? { ...escalation, surviving_state: survivors } : escalation),
  ];
}

/** The facts of a held task that the policy closes; its escalation's category is the status word. */
export function hold(
  state: RunState,
  task: TaskState,
  status: 'blocked' | 'needs-input',
  attempt: number,
): RunFact[] {
  const escalation = escalationOf(task, {
    category: status,
    lastStatus: status,
    attempt,
    upstreamId: null,
  });
  return [
    { type: 'task.held', taskId: task.task.id, attempt, status },
    raise(state, task, escalation),
  ];
}

/** The record for a person, without what survives. */
export function escalationOf(
  { task }: TaskState,
  why: { category: string; lastStatus: string; attempt: number; upstreamId: TaskId | null },
): Escalation {
  return {
    kind: 'escalation',
    task_id: task.id,
    worker: workerOf(task),
    attempt: why.attempt,
    category: why.category,
    last_status: why.lastStatus,
    upstream_task_id: why.upstreamId,
  };
}

const raise = (state: RunState, { key, attempts }: TaskState, escalation: Escalation): RunFact => ({
  type: 'escalation.raised',
  key: `${state.runId}/${key}/${attempts}`,
  escalation,
});

/** What of the open wave is kept whatever happens to a task; undefined between waves. */
export function survivingState({ wave }: RunState): SurvivingState | undefined {
  if (!wave) return undefined;
  const terminal = firstSorted(wave.terminal);
  const outstanding = firstSorted(wave.outstanding);
  const omitted = wave.terminal.size + wave.outstanding.size - terminal.length - outstanding.length;
  return {
    wave_id: `wave-${wave.index}`,
    terminal_tasks: terminal,
    outstanding_tasks: outstanding,
    artifacts: [...wave.artifacts],
    ...(omitted > 0 ? { omitted } : {}),
  };
}

function firstSorted(keys: ReadonlySet<string>): string[] {
  const listed: string[] = [];
  for (const key of keys) {
    if (listed.length === SURVIVORS_LISTED) break;
    listed.push(key);
  }
  return listed.sort(compareText);
}
