import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import type { DeliveryRow } from './schema.ts';

type Inbox = Pick<DeliveryRow, 'team_id' | 'recipient'>;

const cursorOf = statement((tables, slot: Slot<Inbox>) =>
  tables
    .selectFrom('bridge_delivery')
    .select('last_seq')
    .where('team_id', '=', slot('team_id'))
    .where('recipient', '=', slot('recipient')),
);

const advance = statement((tables, slot: Slot<DeliveryRow>) =>
  tables
    .insertInto('bridge_delivery')
    .values({
      team_id: slot('team_id'),
      recipient: slot('recipient'),
      last_seq: slot('last_seq'),
      delivered_at: slot('delivered_at'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'recipient'])
        .doUpdateSet((row) => ({
          last_seq: row.ref('excluded.last_seq'),
          delivered_at: row.ref('excluded.delivered_at'),
        }))
        .whereRef('excluded.last_seq', '>', 'bridge_delivery.last_seq'),
    ),
);

/** The last message that a member has read; 0 before the first. */
export function readCursor(connection: Connection, inbox: Inbox): number {
  const [row] = connection.rows(cursorOf, inbox);
  return row?.last_seq ?? 0;
}

/** Moves a cursor forward; where it is further already it stays. */
export function moveCursor(connection: Connection, row: DeliveryRow): void {
  connection.change(advance, row);
}
