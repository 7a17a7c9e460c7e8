import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import { assertWireVersion, memberOf } from './membership.ts';
import { assertMessage, bad, type OutgoingMessage } from './message.ts';
import { nextId } from './next-id.ts';
import { keepPayload } from './payload.ts';
import type { MessageRow } from './schema.ts';

/** A message that is on the wire. */
export interface SentMessage {
  readonly recipient: string;
  /** Per team and recipient, from 1, without a gap. */
  readonly seq: number;
  /** The key was known: the first message stands, is what this tells of, and nothing was stored. */
  readonly deduped: boolean;
  /** The persona with which the sender spoke. */
  readonly personaSnapshotId: number;
}

export interface SendOptions {
  /**
   * A payload of more bytes than this is kept beside the wire. Anything but a whole number from 1 to 8,191 counts as
   * 4,096, so that no setting can make a message too long for its row.
   */
  readonly refThresholdBytes?: number | undefined;
}

const LONGEST_ROW = 8_192;

const THRESHOLD = 4_096;

const byKey = statement((tables, slot: Slot<Pick<MessageRow, 'team_id' | 'idempotency_key'>>) =>
  tables
    .selectFrom('bridge_messages')
    .select(['recipient', 'seq', 'persona_snapshot_id'])
    .where('team_id', '=', slot('team_id'))
    .where('idempotency_key', '=', slot('idempotency_key')),
);

const lastOf = statement((tables, slot: Slot<Pick<MessageRow, 'team_id' | 'recipient'>>) =>
  tables
    .selectFrom('bridge_messages')
    .select('seq')
    .where('team_id', '=', slot('team_id'))
    .where('recipient', '=', slot('recipient'))
    .orderBy('seq', 'desc')
    .limit(1),
);

const insertMessage = statement((tables, slot: Slot<MessageRow>) =>
  tables.insertInto('bridge_messages').values({
    id: slot('id'),
    team_id: slot('team_id'),
    recipient: slot('recipient'),
    seq: slot('seq'),
    sender_id: slot('sender_id'),
    idempotency_key: slot('idempotency_key'),
    causal_ref: slot('causal_ref'),
    kind: slot('kind'),
    mtype: slot('mtype'),
    meeting_id: slot('meeting_id'),
    turn: slot('turn'),
    wave: slot('wave'),
    payload: slot('payload'),
    payload_ref: slot('payload_ref'),
    persona_snapshot_id: slot('persona_snapshot_id'),
    created_at: slot('created_at'),
  }),
);

/** The `seq` of the last message to a recipient; 0 before the first. */
export function lastSeq(connection: Connection, team_id: string, recipient: string): number {
  const [last] = connection.rows(lastOf, { team_id, recipient });
  return last?.seq ?? 0;
}

/**
 * Puts messages on the wire, all of them or none, in one transaction that holds the write lock: bodies included, so
 * that no row ever points at nothing. Throws what {@link assertMessage} throws, then `STORE_WIRE_VERSION`,
 * `STORE_NO_SUCH_TEAM` or `STORE_NOT_A_MEMBER`.
 */
export function sendAll(
  connection: Connection,
  messages: readonly OutgoingMessage[],
  { now, refThresholdBytes }: SendOptions & { readonly now: () => string },
): readonly SentMessage[] {
  // Success for nobody would look like a message that was sent.
  if (messages.length === 0) throw bad('the list of recipients', 'empty', 'one message or more');
  for (const message of messages) assertMessage(message);
  const inlineBytes = threshold(refThresholdBytes);
  return connection.atomically(() => {
    assertWireVersion(connection);
    const created_at = now();
    return messages.map((message) => send(connection, message, { created_at, inlineBytes }));
  });
}

const threshold = (bytes: number | undefined): number =>
  bytes !== undefined && Number.isInteger(bytes) && bytes > 0 && bytes < LONGEST_ROW
    ? bytes
    : THRESHOLD;

function send(
  connection: Connection,
  message: OutgoingMessage,
  { created_at, inlineBytes }: { readonly created_at: string; readonly inlineBytes: number },
): SentMessage {
  const { teamId: team_id, recipient, causalRef = null } = message;
  const { personaSnapshotId } = memberOf(connection, team_id, message.senderId);
  memberOf(connection, team_id, recipient);
  const idempotency_key = message.idempotencyKey ?? null;
  const [known] = connection.rows(byKey, { team_id, idempotency_key });
  if (known)
    return {
      ...{ recipient: known.recipient, seq: known.seq, deduped: true },
      personaSnapshotId: known.persona_snapshot_id,
    };
  const seq = lastSeq(connection, team_id, recipient) + 1;
  if (causalRef !== null && !(Number.isInteger(causalRef) && causalRef >= 1 && causalRef < seq))
    throw bad('what it refers to', causalRef, `an earlier message to ${recipient}`);
  connection.change(insertMessage, {
    ...{ id: nextId(connection, 'bridge_messages'), team_id, recipient, seq, created_at },
    ...{ sender_id: message.senderId, persona_snapshot_id: personaSnapshotId },
    ...{ kind: message.kind, mtype: message.mtype ?? null, wave: message.wave ?? null },
    ...{ meeting_id: message.meetingId ?? null, turn: message.turn ?? null },
    ...{ idempotency_key, causal_ref: causalRef },
    ...carried(
      connection,
      { team_id, body: message.payload.toWellFormed(), created_at },
      inlineBytes,
    ),
  });
  return { recipient, seq, deduped: false, personaSnapshotId };
}

/** A short payload as it is; for a long one a stub, and its body under its address. */
function carried(
  connection: Connection,
  payload: Parameters<typeof keepPayload>[1],
  inlineBytes: number,
): Pick<MessageRow, 'payload' | 'payload_ref'> {
  const bytes = Buffer.byteLength(payload.body);
  if (bytes <= inlineBytes) return { payload: payload.body, payload_ref: null };
  const payload_ref = keepPayload(connection, payload);
  return { payload: JSON.stringify({ bytes, payload_ref }), payload_ref };
}
