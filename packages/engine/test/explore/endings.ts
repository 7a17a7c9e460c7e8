import type { Reply } from '@atelier/envelope';
import type { Closure, FailCause } from '../../src/index.ts';

/** Every way in which an attempt can end, by a short name. */
export type EndingName =
  | 'done'
  | 'abandoned'
  | 'blocked'
  | 'needs-input'
  | 'rejected'
  | 'timeout'
  | 'lost'
  | 'unstoppable'
  | 'usage-limit'
  | 'account'
  | 'cut'
  | 'false-done';

export const ALL_ENDINGS: readonly EndingName[] = [
  ...(['done', 'abandoned', 'blocked', 'needs-input', 'rejected', 'timeout'] as const),
  ...(['lost', 'unstoppable', 'usage-limit', 'account', 'cut', 'false-done'] as const),
];

/** One of each kind of consequence; the others differ from one of these in their words alone. */
export const DISTINCT_ENDINGS: readonly EndingName[] = [
  ...(['done', 'abandoned', 'blocked', 'lost', 'unstoppable', 'usage-limit', 'cut'] as const),
];

export function replyOf(taskId: string, attempt: number, status: Reply['status']): Reply {
  return { type: 'task_result', task_id: taskId, attempt, status, artifacts: [] };
}

export function closureOf(ending: EndingName, taskId: string, attempt: number): Closure {
  switch (ending) {
    case 'done':
      return { kind: 'done', reply: replyOf(taskId, attempt, 'done') };
    case 'abandoned': {
      const reply = replyOf(taskId, attempt, 'abandoned');
      return { kind: 'abandoned', reply, category: 'scope', reason: 'too large' };
    }
    case 'blocked':
    case 'needs-input':
      return { kind: 'held', reply: replyOf(taskId, attempt, ending), status: ending };
    case 'rejected':
      return { kind: 'rejected', field: 'status', detail: 'no such status' };
    default:
      return { kind: 'failed', cause: ending satisfies FailCause, detail: ending };
  }
}
