import type { Connection } from '../connection.ts';
import type { MessageType, WireKind } from './message.ts';
import { type Resolved, resolvePayload } from './payload.ts';
import type { MessageRow } from './schema.ts';

/** A message as it is stored. Its payload is foreign text. */
export interface WireRow {
  /** Grows with every message of the store. */
  readonly id: number;
  readonly seq: number;
  readonly recipient: string;
  readonly senderId: string;
  readonly kind: WireKind;
  readonly mtype: MessageType | null;
  readonly meetingId: string | null;
  readonly turn: number | null;
  readonly wave: number | null;
  readonly idempotencyKey: string | null;
  readonly causalRef: number | null;
  readonly personaSnapshotId: number;
  /** Whole, or a stub of what `payloadRef` has; null when that was to be read and could not be. */
  readonly payload: string | null;
  /** Where a long payload is kept. Only this makes a message a reference, never what its payload looks like. */
  readonly payloadRef: string | null;
  /** Why the payload is null. */
  readonly problem: Exclude<Resolved['kind'], 'body'> | null;
  readonly createdAt: string;
}

/** Rows as messages, with whole bodies where they are wanted. A body that many got is read once. */
export function wireRows(
  connection: Connection,
  rows: readonly MessageRow[],
  whole: boolean,
): readonly WireRow[] {
  const bodies = new Map<string, Resolved>();
  const bodyAt = (team_id: string, address: string): Resolved => {
    const key = JSON.stringify([team_id, address]);
    const found = bodies.get(key) ?? resolvePayload(connection, team_id, address);
    bodies.set(key, found);
    return found;
  };
  return rows.map((row) => {
    const { payload_ref } = row;
    const found: Resolved =
      whole && payload_ref !== null
        ? bodyAt(row.team_id, payload_ref)
        : { kind: 'body', body: row.payload };
    return told(row, found);
  });
}

const told = (row: MessageRow, found: Resolved): WireRow => ({
  id: row.id,
  seq: row.seq,
  recipient: row.recipient,
  senderId: row.sender_id,
  kind: row.kind,
  mtype: row.mtype,
  meetingId: row.meeting_id,
  turn: row.turn,
  wave: row.wave,
  idempotencyKey: row.idempotency_key,
  causalRef: row.causal_ref,
  personaSnapshotId: row.persona_snapshot_id,
  payload: found.kind === 'body' ? found.body : null,
  payloadRef: row.payload_ref,
  problem: found.kind === 'body' ? null : found.kind,
  createdAt: row.created_at,
});
