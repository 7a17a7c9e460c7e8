import type { RunFact } from './event.ts';
import type { RunInput } from './input.ts';
import { authorOf, isDue, type RunState, reviewersOf, type TaskState } from './state.ts';
import { taskKey } from './task.ts';

/**
 * A task that has not been dispatched takes over what merged work says, and its reviewers what they said of that work.
 * Nothing follows when one of them is missing: then the task is done anew.
 */
export function replay(
  state: RunState,
  { taskId, from, reply, evidence, approvals }: Extract<RunInput, { kind: 'replay' }>,
): RunFact[] {
  const task = state.tasks.get(taskKey(taskId));
  if (!task || !isDue(state, task) || !isFresh(task) || authorOf(state, task)) return [];
  const proof = evidence === undefined ? {} : { evidence };
  const facts: RunFact[] = [{ type: 'task.replayed', taskId: task.task.id, from, reply, ...proof }];
  for (const reviewer of reviewersOf(state, task)) {
    const approval = approvals.find((one) => taskKey(one.taskId) === reviewer.key);
    if (!approval || !isFresh(reviewer)) return [];
    const { from, reply } = approval;
    facts.push({ type: 'task.replayed', taskId: reviewer.task.id, from, reply });
  }
  return facts;
}

const isFresh = ({ phase, attempts }: TaskState): boolean => phase === 'pending' && attempts === 0;
