import { displayText, jsonText, optionalJsonText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { AttemptRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import { type AttemptKey, attemptKey, noSuchAttempt } from './attempt-key.ts';
import type { EventOf } from './event-of.ts';

type Spawn = AttemptKey & Pick<AttemptRow, 'spawned_at' | 'worker_json'>;

const markSpawned = statement((tables, slot: Slot<Spawn>) =>
  tables
    .updateTable('attempts')
    .set({ spawned_at: slot('spawned_at'), worker_json: slot('worker_json') })
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

type Answer = AttemptKey & Pick<AttemptRow, 'replied_at' | 'reply_json' | 'usage_json'>;

const markReplied = statement((tables, slot: Slot<Answer>) =>
  tables
    .updateTable('attempts')
    .set({
      replied_at: slot('replied_at'),
      reply_json: slot('reply_json'),
      usage_json: slot('usage_json'),
    })
    .where('run_id', '=', slot('run_id'))
    .where('task_key', '=', slot('task_key'))
    .where('attempt', '=', slot('attempt')),
);

/** `attempt.spawned`: the worker runs, and what is told of it. */
export function stampSpawn(connection: Connection, event: EventOf<'attempt.spawned'>): void {
  const changed = connection.change(markSpawned, {
    spawned_at: displayText(event.at),
    worker_json: optionalJsonText(event.worker),
    ...attemptKey(event),
  });
  if (changed === 0) throw noSuchAttempt(event);
}

/** `attempt.replied`: a reply whose checks begin. The attempt has not ended. */
export function keepReply(connection: Connection, event: EventOf<'attempt.replied'>): void {
  const changed = connection.change(markReplied, {
    replied_at: displayText(event.at),
    reply_json: jsonText(event.reply),
    usage_json: optionalJsonText(event.usage),
    ...attemptKey(event),
  });
  if (changed === 0) throw noSuchAttempt(event);
}
