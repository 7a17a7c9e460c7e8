import { type RunEvent, type TaskId, taskKey } from '@atelier/engine';
import type { JsonValue, Reply } from '@atelier/envelope';
import { keyText } from './column-text.ts';
import { withEvidence } from './evidence.ts';
import type { EventOf } from './projections/event-of.ts';

/** What a reviewer said of merged work. */
export interface Approval extends OfAttempt {
  readonly reply: Reply;
}

/** An attempt whose work was merged, and those who approved it. */
export interface MergedWork {
  readonly runId: string;
  readonly taskId: TaskId;
  readonly attempt: number;
  readonly reply: Reply;
  readonly evidence?: JsonValue;
  readonly approvals: readonly Approval[];
}

interface OfAttempt {
  readonly taskId: TaskId;
  readonly attempt: number;
}

/** One attempt as far as it matters here. */
interface Attempt {
  readonly started: EventOf<'attempt.started'>;
  reply?: Reply;
  evidence?: JsonValue;
  completed: boolean;
  /** It was charged under a plan that was changed before it was judged: its key does not say by what. */
  outdated: boolean;
}

/** The attempts of one run, as its events tell of them. */
export interface AttemptFold {
  take(events: readonly RunEvent[]): void;
  /** The attempt, by its columns, if it was merged under that content key, with a reply that is `done`. */
  merged(task_key: string, attempt: number, contentKey: string): MergedWork | undefined;
}

/** Folds what a later run can use again: a failed, held or abandoned attempt never is. */
export function attemptFold(): AttemptFold {
  const attempts = new Map<string, Attempt>();
  const reviews = new Map<string, Attempt[]>();
  const named = (of: OfAttempt) => attempts.get(nameIn(of));

  function start(event: EventOf<'attempt.started'>): void {
    const attempt: Attempt = { started: event, completed: false, outdated: false };
    attempts.set(nameIn(event), attempt);
    if (!event.reviews) return;
    const reviewed = nameIn(event.reviews);
    reviews.set(reviewed, [...(reviews.get(reviewed) ?? []), attempt]);
  }

  function takeOne(event: RunEvent): void {
    switch (event.type) {
      case 'attempt.started':
        start(event);
        break;
      case 'plan.taken':
        for (const attempt of attempts.values()) attempt.outdated ||= !attempt.completed;
        break;
      case 'review.requested':
      case 'attempt.accepted': {
        const attempt = named(event);
        if (!attempt) break;
        attempt.reply = event.reply;
        addEvidence(attempt, event.evidence);
        break;
      }
      case 'attempt.closed': {
        const attempt = named(event);
        if (attempt && event.closure.kind === 'done') attempt.reply = event.closure.reply;
        else delete attempt?.reply;
        break;
      }
      case 'task.completed': {
        const attempt = named(event);
        if (!attempt) break;
        attempt.completed = true;
        addEvidence(attempt, event.evidence);
        break;
      }
    }
  }

  return {
    take: (events) => events.forEach(takeOne),
    merged(key, number, contentKey) {
      const name = nameOf(key, number);
      const attempt = attempts.get(name);
      if (!attempt?.completed || attempt.started.contentKey !== contentKey) return undefined;
      const { started, reply, evidence, outdated } = attempt;
      if (outdated || reply?.status !== 'done') return undefined;
      return {
        ...{ runId: started.runId, taskId: started.taskId, attempt: number, reply },
        ...(evidence === undefined ? {} : { evidence }),
        approvals: (reviews.get(name) ?? []).flatMap(approval),
      };
    },
  };
}

/** By the task's column. */
const nameOf = (task_key: string, attempt: number): string => `${attempt} ${task_key}`;

const nameIn = ({ taskId, attempt }: OfAttempt): string =>
  nameOf(keyText(taskKey(taskId)), attempt);

function approval({ started, reply }: Attempt): Approval[] {
  const { taskId, attempt } = started;
  return reply?.status === 'done' ? [{ taskId, attempt, reply }] : [];
}

function addEvidence(attempt: Attempt, added: JsonValue | undefined): void {
  if (added !== undefined) attempt.evidence = withEvidence(attempt.evidence, added);
}
