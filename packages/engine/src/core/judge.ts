import { validateReply } from '@atelier/envelope';
import type { Closure } from './closure.ts';
import type { TaskId } from './task.ts';

/** What a reply closes an attempt with. Identity comes from our own dispatch record, never from the reply. */
export function judge(input: unknown, taskId: TaskId, attempt: number): Closure {
  const checked = validateReply(input, { taskId, attempt });
  if (!checked.ok) {
    const [first] = checked.issues;
    return { kind: 'rejected', field: first.field, detail: first.message };
  }
  const { reply, abandon } = checked;
  if (abandon) return { kind: 'abandoned', reply, ...abandon };
  if (reply.status === 'blocked' || reply.status === 'needs-input')
    return { kind: 'held', reply, status: reply.status };
  return { kind: 'done', reply };
}
