import type { RunEvent, RunFact, Task, TaskId } from '@atelier/engine';

export const AT = '2026-03-01T08:00:00.000Z';

export const policy = {
  maxWorkers: 5,
  maxAttempts: 5,
  wallClockMs: 1_800_000,
  onHeld: 'retry',
  raiseCaps: false,
} as const;

/** Facts with their places in a run, from `seq` on. */
export const events = (runId: string, seq: number, ...facts: readonly RunFact[]): RunEvent[] =>
  facts.map((fact, index) => ({ ...fact, runId, seq: seq + index, at: AT }));

export const started = (tasks: readonly Task[]): RunFact => ({
  type: 'run.started',
  tasks,
  policy,
});

export const charge = (taskId: TaskId, attempt: number): RunFact => ({
  type: 'attempt.started',
  taskId,
  attempt,
  nonce: `nonce-${taskId}-${attempt}`,
});

export const reply = (taskId: TaskId, attempt: number, status: 'done' | 'abandoned' | 'blocked') =>
  ({ type: 'task_result', task_id: taskId, attempt, status, artifacts: ['a.txt'] }) as const;

export const failed = (taskId: TaskId, attempt: number): RunFact => ({
  type: 'attempt.closed',
  taskId,
  attempt,
  closure: { kind: 'failed', cause: 'timeout', detail: 'no reply' },
});

export const abandoned = (taskId: TaskId, attempt: number): RunFact => ({
  type: 'task.abandoned',
  taskId,
  attempt,
  by: 'engine',
  category: 'capacity',
  lastStatus: 'timeout: no reply',
  upstreamId: null,
});

export const raised = (taskId: TaskId, attempt: number, key: string): RunFact => ({
  type: 'escalation.raised',
  key,
  escalation: {
    kind: 'escalation',
    task_id: taskId,
    worker: null,
    attempt,
    category: 'capacity',
    last_status: 'timeout: no reply',
    upstream_task_id: null,
  },
});
