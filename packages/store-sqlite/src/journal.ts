import { type Journal, journalConflict, type RunEvent } from '@atelier/engine';
import { chainLink } from './chain.ts';
import { type ChainEnds, chainEnds, type Ends } from './chain-ends.ts';
import { displayText, jsonText, keyText } from './column-text.ts';
import type { Connection } from './connection.ts';
import { project } from './project.ts';
import { tampered } from './read-event.ts';
import type { EventRow } from './schema.ts';
import { type Slot, statement } from './statement.ts';
import type { Tip, TipFile } from './tip.ts';
import { walk } from './walk.ts';

const insertEvent = statement((tables, slot: Slot<EventRow>) =>
  tables.insertInto('events').values({
    run_id: slot('run_id'),
    seq: slot('seq'),
    type: slot('type'),
    at: slot('at'),
    payload_json: slot('payload_json'),
    hash: slot('hash'),
  }),
);

/** How a journal knows what was committed. */
export interface JournalOptions {
  /** Where the last event of each batch is noted. */
  readonly tipFile: TipFile;
  /** What was noted before the store was opened. */
  readonly tip?: Tip | undefined;
}

/**
 * The journal over a connection. A batch and every row that follows from it are one transaction. `load` throws
 * `STORE_TAMPERED` for a run of which a row is not what was appended.
 */
export function sqliteJournal(connection: Connection, { tipFile, tip }: JournalOptions): Journal {
  const ends = chainEnds(connection);
  return {
    append(events) {
      const last = events.at(-1);
      if (!last) return;
      const run_id = keyText(last.runId);
      const link = committed(connection, ends, events).get(run_id);
      if (link) tipFile.note({ run_id, ...link });
    },
    load(runId) {
      const { events, bad } = walk(connection, runId, { tip });
      if (bad) throw tampered(bad);
      return events;
    },
  };
}

function committed(connection: Connection, ends: ChainEnds, events: readonly RunEvent[]): Ends {
  try {
    const moved = connection.atomically(() => write(connection, ends, events));
    ends.keep(moved);
    return moved;
  } catch (error) {
    ends.forget();
    throw error;
  }
}

function write(connection: Connection, ends: ChainEnds, events: readonly RunEvent[]): Ends {
  const moved: Ends = new Map();
  for (const event of events) {
    const run_id = keyText(event.runId);
    const before = moved.get(run_id) ?? ends.of(run_id);
    if (event.seq !== before.seq + 1) throw journalConflict(event, before.seq + 1);
    const payload_json = jsonText(event);
    const link = { seq: event.seq, hash: chainLink(before.hash, payload_json) };
    const at = displayText(event.at);
    connection.change(insertEvent, { run_id, type: event.type, at, payload_json, ...link });
    project(connection, event);
    moved.set(run_id, link);
  }
  return moved;
}
