import { taskKey } from '@atelier/engine';
import { displayText, jsonText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { noSuchRow } from '../error.ts';
import type { EscalationRow } from '../schema.ts';
import { type Slot, statement } from '../statement.ts';
import type { EventOf } from './event-of.ts';

const insertEscalation = statement((tables, slot: Slot<Omit<EscalationRow, 'delivered_at'>>) =>
  tables.insertInto('escalations').values({
    run_id: slot('run_id'),
    key: slot('key'),
    seq: slot('seq'),
    task_key: slot('task_key'),
    payload_json: slot('payload_json'),
    raised_at: slot('raised_at'),
  }),
);

// Delivered is at least once: the first time counts.
const markDelivered = statement(
  (tables, slot: Slot<Pick<EscalationRow, 'run_id' | 'key' | 'delivered_at'>>) =>
    tables
      .updateTable('escalations')
      .set((column) => ({
        delivered_at: column.fn.coalesce('delivered_at', slot('delivered_at')),
      }))
      .where('run_id', '=', slot('run_id'))
      .where('key', '=', slot('key')),
);

/** `escalation.raised`: the record a person is owed. */
export function raiseEscalation(connection: Connection, event: EventOf<'escalation.raised'>): void {
  connection.change(insertEscalation, {
    run_id: keyText(event.runId),
    key: keyText(event.key),
    seq: event.seq,
    task_key: keyText(taskKey(event.escalation.task_id)),
    payload_json: jsonText(event.escalation),
    raised_at: displayText(event.at),
  });
}

/** `escalation.delivered`: the sink has it. */
export function deliverEscalation(
  connection: Connection,
  event: EventOf<'escalation.delivered'>,
): void {
  const changed = connection.change(markDelivered, {
    run_id: keyText(event.runId),
    key: keyText(event.key),
    delivered_at: displayText(event.at),
  });
  if (changed === 0) throw noSuchRow('escalation', event.runId, event.key);
}
