import { jsonText, optionalJsonText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { AttemptRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import { type AttemptKey, attemptKey, noSuchAttempt } from './attempt-key.ts';
import type { EventOf } from './event-of.ts';
import { recordFacts } from './facts.ts';
import { markTask } from './task.ts';

type Delivery = AttemptKey & Pick<AttemptRow, 'reply_json' | 'usage_json' | 'evidence_json'>;

const keepDelivery = statement((tables, slot: Slot<Delivery>) =>
  tables
    .updateTable('attempts')
    .set((column) => ({
      reply_json: slot('reply_json'),
      usage_json: column.fn.coalesce(slot('usage_json'), 'usage_json'),
      evidence_json: slot('evidence_json'),
    }))
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

const unmarkApprovers = statement((tables, slot: Slot<AttemptKey>) =>
  tables
    .updateTable('tasks')
    .set({ status: 'pending' })
    .where('run_id', '=', slot('run_id'))
    .where('status', '=', 'accepted')
    .where('task_key', 'in', (query) =>
      query
        .selectFrom('attempts')
        .select('task_key')
        .where('run_id', '=', slot('run_id'))
        .where('reviews_key', '=', slot('task_key'))
        .where('reviews_attempt', '=', slot('attempt')),
    ),
);

/** `review.requested`: what the attempt delivered. It has not ended. */
export function requestReview(connection: Connection, event: EventOf<'review.requested'>): void {
  const changed = connection.change(keepDelivery, {
    reply_json: jsonText(event.reply),
    usage_json: optionalJsonText(event.usage),
    evidence_json: optionalJsonText(event.evidence),
    ...attemptKey(event),
  });
  if (changed === 0) throw noSuchAttempt(event);
  recordFacts(connection, event);
  markTask(connection, event, 'reviewing');
}

/** An approval is of one attempt: when that is closed, whoever approved it is to look at the next one. */
export function withdrawApprovals(connection: Connection, event: EventOf<'attempt.closed'>): void {
  connection.change(unmarkApprovers, attemptKey(event));
}
