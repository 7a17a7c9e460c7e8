import { chargeOf, type LedgerEntry } from '@atelier/budget';
import { type RunEvent, type Task, taskKey, type Usage } from '@atelier/engine';

/** One attempt of a run, and what is known of what it used. */
export interface AttemptSpent extends LedgerEntry {
  readonly task: Task;
  readonly ended: boolean;
}

/** Whatever tells the end of an attempt tells what it used, the first time. */
const usageIn = (event: RunEvent): Usage | undefined =>
  'usage' in event ? event.usage : undefined;

/** Every attempt that the events charge, in their order. Costs are the program's own, and at least those by list price. */
export function attemptsOf(events: readonly RunEvent[]): AttemptSpent[] {
  const attempts = new Map<string, AttemptSpent>();
  const tasks = new Map<string, Task>();
  let wave = 0;
  for (const event of events) {
    if (event.type === 'run.started' || event.type === 'plan.taken')
      for (const task of event.tasks) tasks.set(taskKey(task.id), task);
    if (event.type === 'wave.opened') wave = event.wave;
    if (!('taskId' in event) || !('attempt' in event)) continue;
    const taskId = taskKey(event.taskId);
    const key = attemptKey(taskId, event.attempt);
    if (event.type === 'attempt.started') {
      attempts.set(key, {
        ...{ runId: event.runId, wave, taskId, attempt: event.attempt },
        task: tasks.get(taskId) ?? { id: event.taskId },
        model: event.terms?.model ?? null,
        ...{ spent: {}, costUsd: null, ended: false },
      });
      continue;
    }
    const begun = attempts.get(key);
    if (!begun || begun.ended || !ENDS.has(event.type)) continue;
    const spent = usageIn(event) ?? {};
    const costUsd = chargeOf(begun.model ?? undefined, spent);
    attempts.set(key, { ...begun, spent, costUsd, ended: true });
  }
  return [...attempts.values()];
}

const ENDS: ReadonlySet<RunEvent['type']> = new Set([
  'attempt.replied',
  'review.requested',
  'attempt.accepted',
  'attempt.closed',
]);

export const isEnd = ({ type }: RunEvent): boolean => ENDS.has(type);

export const attemptKey = (taskId: string | number, attempt: number): string =>
  JSON.stringify([taskKey(taskId), attempt]);
