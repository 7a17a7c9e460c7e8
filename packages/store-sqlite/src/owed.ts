import { sql } from 'kysely';
import type { Connection } from './connection.ts';
import { isObject } from './evidence.ts';
import { type Slot, statement } from './statement.ts';

const tellings = statement((tables, _slot: Slot<object>) =>
  tables
    .selectFrom('events')
    .select(['run_id', 'type', 'payload_json'])
    .where('type', 'in', ['escalation.raised', 'escalation.delivered'])
    .orderBy(sql`rowid`),
);

/** The runs, by their column, whose events raise an escalation that none of them delivers. */
export function owedRuns(connection: Connection): readonly string[] {
  const owed = new Map<string, Set<unknown>>();
  connection.each(tellings, {}, ({ run_id, type, payload_json }) => {
    const keys = owed.get(run_id) ?? new Set();
    if (type === 'escalation.raised') owed.set(run_id, keys.add(keyIn(payload_json)));
    else if (keys.delete(keyIn(payload_json)) && keys.size === 0) owed.delete(run_id);
    return true;
  });
  return [...owed.keys()];
}

/** Undefined for what is no event any more: then nothing delivers it, and whoever loads the run is told. */
function keyIn(payload: string): unknown {
  try {
    const event: unknown = JSON.parse(payload);
    return isObject(event) ? event['key'] : undefined;
  } catch {
    return undefined;
  }
}
