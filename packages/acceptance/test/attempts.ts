import type {
  Acceptability,
  Acceptance,
  AcceptedWork,
  CheckContext,
  Task,
  WorkOrder,
} from '@atelier/engine';
import type { JsonValue, Reply } from '@atelier/envelope';
import type { MemoryWork, MemoryWorkspace } from '../src/index.ts';

export const orderOf = (task: Task, attempt = 1): WorkOrder => ({
  runId: 'r1',
  task,
  attempt,
  nonce: 'n',
  briefing: '',
  wallClockMs: 1000,
});

export const replyOf = (
  task: Task,
  artifacts: readonly JsonValue[] = ['x'],
  attempt = 1,
): Reply => ({
  type: 'task_result',
  task_id: task.id,
  attempt,
  status: 'done',
  artifacts,
});

export interface Journal extends CheckContext {
  readonly stages: string[];
  readonly passed: Map<string, JsonValue | undefined>;
}

/** A journal of stages that a later call can be given again. */
export function journal(
  siblings: readonly AcceptedWork[] = [],
  signal: AbortSignal = new AbortController().signal,
): Journal {
  const passed = new Map<string, JsonValue | undefined>();
  const stages: string[] = [];
  return {
    signal,
    siblings,
    passed,
    stages,
    pass(stage, evidence) {
      stages.push(stage);
      passed.set(stage, evidence);
    },
  };
}

/** Does the work and has it checked. */
export async function done(
  { workspace, checks }: { readonly workspace: MemoryWorkspace; readonly checks: Acceptance },
  task: Task,
  work: MemoryWork,
): Promise<Acceptability> {
  await workspace.work({ taskId: task.id, attempt: 1 }, work);
  return checks.accept(orderOf(task), replyOf(task), journal());
}

/** A refusal as `cause: detail`, or `accepted`. */
export const verdictOf = (verdict: Acceptability): string =>
  verdict.kind === 'accepted' ? 'accepted' : `${verdict.cause}: ${verdict.detail}`;

/** Work as the engine hands it to an integration. */
export const acceptedWork = (
  task: Task,
  evidence: JsonValue | undefined,
  attempt = 1,
): AcceptedWork => ({
  task,
  attempt,
  reply: replyOf(task),
  ...(evidence === undefined ? {} : { evidence }),
});

export const WAVE = { runId: 'r1', index: 0, group: 1 } as const;
