import { type RunEvent, taskKey } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import { keyText } from './column-text.ts';
import type { ToldRow } from './read-run.ts';

/**
 * Tells why the acknowledgement that a row has can not be one. No event records it, so a true one can not be told from
 * another time; but only a task that some event abandons or holds is ever acknowledged.
 */
export function falseAcknowledgement(
  events: readonly RunEvent[],
): (row: ToldRow) => string | undefined {
  const escalated = new Set<string>();
  for (const event of events) {
    if (event.type === 'task.abandoned' || event.type === 'task.held')
      escalated.add(keyText(taskKey(event.taskId)));
    if (event.type !== 'run.started' && event.type !== 'plan.taken') continue;
    for (const { id, status } of event.tasks)
      if (status === 'abandoned' || status === 'held') escalated.add(keyText(taskKey(id)));
  }
  return ({ task_key = '', abandoned_ack_at: stamp }) => {
    if (stamp === undefined || stamp === null) return undefined;
    if (!escalated.has(task_key)) return 'it is acknowledged, and no event abandons or holds it';
    return isInstant(stamp) ? undefined : `its abandoned_ack_at is ${printable(stamp)}, no time`;
  };
}

const isInstant = (text: string): boolean =>
  Number.isFinite(Date.parse(text)) && new Date(text).toISOString() === text;
