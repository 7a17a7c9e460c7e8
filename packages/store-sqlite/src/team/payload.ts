import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import { addressOf } from './address.ts';
import type { PayloadRow } from './schema.ts';

/** What is found under an address; a body that is no longer what was sent is never shown. */
export type Resolved =
  | { readonly kind: 'body'; readonly body: string }
  | { readonly kind: 'not-found' | 'sha-mismatch' };

type Address = Pick<PayloadRow, 'team_id' | 'sha256'>;

const byAddress = statement((tables, slot: Slot<Address>) =>
  tables
    .selectFrom('bridge_payloads')
    .select('body')
    .where('team_id', '=', slot('team_id'))
    .where('sha256', '=', slot('sha256')),
);

const insertPayload = statement((tables, slot: Slot<PayloadRow>) =>
  tables.insertInto('bridge_payloads').values({
    team_id: slot('team_id'),
    sha256: slot('sha256'),
    byte_len: slot('byte_len'),
    body: slot('body'),
    created_at: slot('created_at'),
  }),
);

/** Keeps a body under its address, once per team, in the caller's transaction. */
export function keepPayload(
  connection: Connection,
  { team_id, body, created_at }: Pick<PayloadRow, 'team_id' | 'body' | 'created_at'>,
): string {
  const sha256 = addressOf(body);
  const [known] = connection.rows(byAddress, { team_id, sha256 });
  const byte_len = Buffer.byteLength(body);
  if (!known) connection.change(insertPayload, { team_id, sha256, byte_len, body, created_at });
  return sha256;
}

/** Reads a body and compares it with its address. */
export function resolvePayload(connection: Connection, team_id: string, sha256: string): Resolved {
  const [row] = connection.rows(byAddress, { team_id, sha256 });
  if (!row) return { kind: 'not-found' };
  return addressOf(row.body) === sha256
    ? { kind: 'body', body: row.body }
    : { kind: 'sha-mismatch' };
}
