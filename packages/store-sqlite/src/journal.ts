import { type Journal, journalConflict, type RunEvent } from '@atelier/engine';
import { displayText, jsonText, keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import { project } from './project.ts';
import { type Slot, statement } from './statement.ts';

const lastSeq = statement((tables, slot: Slot<{ run_id: string }>) =>
  tables
    .selectFrom('events')
    .select((column) => column.fn.max('seq').as('seq'))
    .where('run_id', '=', slot('run_id')),
);

const insertEvent = statement(
  (
    tables,
    slot: Slot<{ run_id: string; seq: number; type: string; at: string; payload_json: string }>,
  ) =>
    tables.insertInto('events').values({
      run_id: slot('run_id'),
      seq: slot('seq'),
      type: slot('type'),
      at: slot('at'),
      payload_json: slot('payload_json'),
    }),
);

const eventsOfRun = statement((tables, slot: Slot<{ run_id: string }>) =>
  tables
    .selectFrom('events')
    .select('payload_json')
    .where('run_id', '=', slot('run_id'))
    .orderBy('seq'),
);

/** The journal over a connection. A batch and every row that follows from it are one transaction. */
export function sqliteJournal(connection: Connection): Journal {
  return {
    append(events) {
      if (events.length > 0) connection.atomically(() => write(connection, events));
    },
    load: (runId) =>
      connection
        .rows(eventsOfRun, { run_id: keyText(runId) })
        .map(({ payload_json }): RunEvent => JSON.parse(payload_json)),
  };
}

function write(connection: Connection, events: readonly RunEvent[]): void {
  const written = new Map<string, number>();
  for (const event of events) {
    const expected = (written.get(event.runId) ?? storedSeq(connection, event.runId)) + 1;
    if (event.seq !== expected) throw journalConflict(event, expected);
    connection.change(insertEvent, {
      run_id: keyText(event.runId),
      seq: event.seq,
      type: event.type,
      at: displayText(event.at),
      payload_json: jsonText(event),
    });
    project(connection, event);
    written.set(event.runId, event.seq);
  }
}

function storedSeq(connection: Connection, runId: string): number {
  return connection.rows(lastSeq, { run_id: keyText(runId) })[0]?.seq ?? 0;
}
