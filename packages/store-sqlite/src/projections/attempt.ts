import { taskKey } from '@atelier/engine';
import { displayText, jsonText, keyText, optionalJsonText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { noSuchRow } from '../error.ts';
import type { AttemptRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import { attemptKey, noSuchAttempt } from './attempt-key.ts';
import { type Ending, endingOf } from './ending.ts';
import type { EventOf } from './event-of.ts';
import { recordFacts } from './facts.ts';
import { withdrawApprovals } from './review.ts';
import { markTask } from './task.ts';

type Charge = Pick<
  AttemptRow,
  | 'run_id'
  | 'task_key'
  | 'attempt'
  | 'nonce'
  | 'started_at'
  | 'reviews_key'
  | 'reviews_attempt'
  | 'content_key'
>;

const insertAttempt = statement((tables, slot: Slot<Charge>) =>
  tables.insertInto('attempts').values({
    run_id: slot('run_id'),
    task_key: slot('task_key'),
    attempt: slot('attempt'),
    nonce: slot('nonce'),
    started_at: slot('started_at'),
    reviews_key: slot('reviews_key'),
    reviews_attempt: slot('reviews_attempt'),
    content_key: slot('content_key'),
  }),
);

type Charged = Pick<AttemptRow, 'run_id' | 'task_key' | 'attempt' | 'started_at'>;

const stampTask = statement((tables, slot: Slot<Charged>) =>
  tables
    .updateTable('tasks')
    .set({
      status: 'running',
      attempts: slot('attempt'),
      last_attempt_at: slot('started_at'),
      closed_at: null,
    })
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key')),
);

type End = Ending & Pick<AttemptRow, 'run_id' | 'task_key' | 'attempt' | 'ended_at' | 'usage_json'>;

// An attempt that was accepted may still fail to merge: its reply and its usage stay.
const endAttempt = statement((tables, slot: Slot<End>) =>
  tables
    .updateTable('attempts')
    .set((column) => ({
      ended_at: slot('ended_at'),
      ending: slot('ending'),
      cause: slot('cause'),
      detail: slot('detail'),
      findings: slot('findings'),
      reply_json: column.fn.coalesce(slot('reply_json'), 'reply_json'),
      usage_json: column.fn.coalesce(slot('usage_json'), 'usage_json'),
      evidence_json: column.fn.coalesce(slot('evidence_json'), 'evidence_json'),
    }))
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

/** `attempt.started`: the charge, the stamp and the attempt's row. */
export function chargeAttempt(connection: Connection, event: EventOf<'attempt.started'>): void {
  const charged = { started_at: displayText(event.at), ...attemptKey(event) };
  if (connection.change(stampTask, charged) === 0)
    throw noSuchRow('task', event.runId, String(event.taskId));
  const { reviews, contentKey } = event;
  connection.change(insertAttempt, {
    nonce: displayText(event.nonce),
    reviews_key: reviews ? keyText(taskKey(reviews.taskId)) : null,
    reviews_attempt: reviews?.attempt ?? null,
    content_key: contentKey === undefined ? null : keyText(contentKey),
    ...charged,
  });
}

/** `attempt.accepted`: the reply counts; the task is not complete yet. */
export function acceptAttempt(connection: Connection, event: EventOf<'attempt.accepted'>): void {
  end(connection, event, {
    ending: 'accepted',
    cause: null,
    detail: null,
    findings: null,
    reply_json: jsonText(event.reply),
    evidence_json: optionalJsonText(event.evidence),
  });
  recordFacts(connection, event);
  markTask(connection, event, 'accepted');
}

/** `attempt.closed`: how it ended. Its task is pending again until another event says otherwise. */
export function closeAttempt(connection: Connection, event: EventOf<'attempt.closed'>): void {
  end(connection, event, endingOf(event.closure));
  markTask(connection, event, 'pending');
  withdrawApprovals(connection, event);
}

function end(
  connection: Connection,
  event: EventOf<'attempt.accepted' | 'attempt.closed'>,
  ending: Ending,
): void {
  const changed = connection.change(endAttempt, {
    ended_at: displayText(event.at),
    usage_json: optionalJsonText(event.usage),
    ...attemptKey(event),
    ...ending,
  });
  if (changed === 0) throw noSuchAttempt(event);
}
