import type { Connection } from '../connection.ts';
import type { Statement } from '../statement.ts';

type Last = Statement<object, { readonly id: number }>;

const last = (table: string): Last => ({
  sql: `SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`,
  constants: [],
});

type Counted =
  | 'bridge_messages'
  | 'persona_snapshots'
  | 'phase_bypasses'
  | 'phase_events'
  | 'team_audit_log';

const LAST: { readonly [table in Counted]: Last } = {
  bridge_messages: last('bridge_messages'),
  persona_snapshots: last('persona_snapshots'),
  phase_bypasses: last('phase_bypasses'),
  phase_events: last('phase_events'),
  team_audit_log: last('team_audit_log'),
};

/** The id of the next row of a table whose ids are gapless. It stays free only within the caller's transaction. */
export function nextId(connection: Connection, table: Counted): number {
  const [row] = connection.rows(LAST[table], {});
  return (row?.id ?? 0) + 1;
}
