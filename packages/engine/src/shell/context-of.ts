import { type RunState, type TaskState, taskOf, underReview } from '../core/state.ts';
import type { TaskId } from '../core/task.ts';
import type { AcceptedWork } from './acceptance.ts';
import type { BriefingContext } from './briefing.ts';

/** Everything that is known of the attempt that a task is at. */
export function contextOf(state: RunState, taskId: TaskId): BriefingContext {
  const own = taskOf(state, taskId);
  const { task, attempts, nonce = '', terms, closure, upstreams } = own;
  const author = underReview(state, own);
  const upstream = upstreams.flatMap((key) => {
    const { task, reply, evidence } = taskOf(state, key);
    if (!reply || key === author?.key) return [];
    return [{ taskId: task.id, reply, ...(evidence === undefined ? {} : { evidence }) }];
  });
  const [review] = author ? worksOf([author]) : [];
  return {
    runId: state.runId,
    task,
    attempt: attempts,
    nonce,
    upstream,
    ...(terms ? { terms } : {}),
    ...(closure ? { previous: closure } : {}),
    ...(review ? { review } : {}),
  };
}

/** What the next attempt would be given, were it the first: how earlier ones ended is no part of what it depends on. */
export function contextOfNext(state: RunState, taskId: TaskId): BriefingContext {
  const { previous: _, terms: __, attempt, ...context } = contextOf(state, taskId);
  return { ...context, attempt: attempt + 1, nonce: '' };
}

/** Tasks that have delivered, as whoever checks and merges sees them. */
export const worksOf = (tasks: readonly TaskState[]): AcceptedWork[] =>
  tasks.flatMap(({ task, attempts: attempt, reply, evidence }) =>
    reply ? [{ task, attempt, reply, ...(evidence === undefined ? {} : { evidence }) }] : [],
  );
