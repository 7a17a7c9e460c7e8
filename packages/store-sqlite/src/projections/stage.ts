import { displayText, keyText, optionalJsonText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import type { StageRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import { attemptKey } from './attempt-key.ts';
import type { EventOf } from './event-of.ts';

const upsertStage = statement((tables, slot: Slot<StageRow>) =>
  tables
    .insertInto('attempt_stages')
    .values({
      run_id: slot('run_id'),
      task_key: slot('task_key'),
      attempt: slot('attempt'),
      stage: slot('stage'),
      passed_at: slot('passed_at'),
      evidence_json: slot('evidence_json'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['run_id', 'task_key', 'attempt', 'stage'])
        .doUpdateSet({ passed_at: slot('passed_at'), evidence_json: slot('evidence_json') }),
    ),
);

/** `attempt.checked`: a stage that is behind the attempt; told twice, the later telling counts. */
export function passStage(connection: Connection, event: EventOf<'attempt.checked'>): void {
  connection.change(upsertStage, {
    stage: keyText(event.stage),
    passed_at: displayText(event.at),
    evidence_json: optionalJsonText(event.evidence),
    ...attemptKey(event),
  });
}
