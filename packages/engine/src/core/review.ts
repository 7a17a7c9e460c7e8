import type { JsonValue } from '@atelier/envelope';
import { abandon } from './abandon.ts';
import { type Closure, closureStatus, type FailedClosure } from './closure.ts';
import type { RunFact } from './event.ts';
import { type RunState, reviewersOf, type TaskState } from './state.ts';

/** What the author's next attempt is told of its reviewer's words, in code points. */
const LONGEST_FINDINGS = 8000;

/** The task's work is checked and approved by all its reviewers. */
export function approval(
  state: RunState,
  author: TaskState,
  { final }: { readonly final: boolean },
): RunFact[] {
  const { attempts: attempt, reply, evidence } = author;
  if (!reply) return [];
  const taskId = author.task.id;
  const proof = evidence === undefined ? {} : { evidence };
  return [
    { type: 'attempt.accepted', taskId, attempt, reply, ...proof },
    ...(final ? completion(state, author, attempt) : []),
  ];
}

/** A task's end as done; its reviewers close with it. */
export function completion(
  state: RunState,
  task: TaskState,
  attempt: number,
  evidence: { readonly evidence?: JsonValue } = {},
): RunFact[] {
  return [
    { type: 'task.completed', taskId: task.task.id, attempt, ...evidence },
    ...reviewersOf(state, task)
      // The last of them has just approved; one that has not looked at it does not close with it.
      .filter(({ phase }) => phase === 'accepted' || phase === 'running')
      .map(
        (reviewer): RunFact => ({
          type: 'task.completed',
          taskId: reviewer.task.id,
          attempt: reviewer.attempts,
        }),
      ),
  ];
}

/** What the author's attempt is closed with when a reviewer says no. Its words are foreign text. */
export function rejection(
  reviewer: TaskState,
  { reply, status }: Extract<Closure, { kind: 'held' }>,
): FailedClosure {
  const notes = typeof reply.notes_md === 'string' ? reply.notes_md : '';
  return {
    kind: 'failed',
    cause: 'review',
    detail: `${nameOf(reviewer)} replied ${status}`,
    findings: [...notes].slice(0, LONGEST_FINDINGS).join(''),
  };
}

/** Nobody is left who could approve the work: the reviewer has ended without an approval. */
export function unreviewed(
  state: RunState,
  author: TaskState,
  reviewer: TaskState,
  why: string,
): RunFact[] {
  const attempt = author.attempts;
  const closure: FailedClosure = {
    kind: 'failed',
    cause: 'review',
    detail: `${nameOf(reviewer)} ended without a verdict: ${why}`,
  };
  const open: RunFact[] =
    author.phase === 'reviewing'
      ? [{ type: 'attempt.closed', taskId: author.task.id, attempt, closure }]
      : [];
  const lastStatus = closureStatus(closure);
  return [
    ...open,
    ...abandon(state, author, { by: 'engine', category: 'capacity', lastStatus, attempt }),
  ];
}

const nameOf = ({ key }: TaskState): string => `its reviewer ${[...key].slice(0, 60).join('')}`;
