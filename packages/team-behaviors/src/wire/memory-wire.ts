import { TeamError } from '../team-error.ts';
import {
  MAX_BODY_BYTES,
  type MessageWire,
  type OutgoingMessage,
  type SentMessage,
  WIRE_KINDS,
  type WireRow,
} from './message-wire.ts';
import { IDEMPOTENCY_KEY } from './recipient-key.ts';

/** How a wire in memory knows the time, in epoch milliseconds, and who belongs to a team; by default everybody. */
export interface MemoryWireOptions {
  readonly now: () => number;
  readonly isMember?: (teamId: string, roleId: string) => boolean;
}

interface Stored extends WireRow {
  readonly teamId: string;
}

/** A wire that lasts as long as the process. */
export function memoryWire({
  now,
  isMember = () => true,
}: MemoryWireOptions): MessageWire & { readonly rows: readonly WireRow[] } {
  const rows: Stored[] = [];
  const store = (message: OutgoingMessage): SentMessage => {
    const { teamId, recipient } = message;
    const inTeam = rows.filter((row) => row.teamId === teamId);
    const key = message.idempotencyKey ?? null;
    const known = key === null ? undefined : inTeam.find((row) => row.idempotencyKey === key);
    if (known) return { recipient: known.recipient, seq: known.seq, deduped: true };
    const seq = inTeam.filter((row) => row.recipient === recipient).length + 1;
    rows.push({
      ...{ id: rows.length + 1, teamId, seq, recipient, senderId: message.senderId },
      ...{ mtype: message.mtype ?? null, meetingId: message.meetingId ?? null },
      ...{ turn: message.turn ?? null, idempotencyKey: key },
      ...{ causalRef: message.causalRef ?? null, payload: message.payload },
      createdAt: new Date(now()).toISOString(),
    });
    return { recipient, seq, deduped: false };
  };
  return {
    rows,
    sendAll(messages) {
      for (const message of messages) assertSendable(message, isMember);
      return messages.map(store);
    },
    messages: ({ teamId, meetingId, mtype, afterId = 0 }) =>
      rows.filter(
        (row) =>
          row.teamId === teamId &&
          row.id > afterId &&
          (meetingId === undefined || row.meetingId === meetingId) &&
          (mtype === undefined || row.mtype === mtype),
      ),
  };
}

function assertSendable(
  { kind, idempotencyKey, payload, teamId, senderId, recipient }: OutgoingMessage,
  isMember: (teamId: string, roleId: string) => boolean,
): void {
  if (!WIRE_KINDS.includes(kind))
    throw new TeamError(
      'WIRE_UNKNOWN_KIND',
      'no such kind',
      `Use one of ${WIRE_KINDS.join(', ')}.`,
    );
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey))
    throw new TeamError('WIRE_INVALID_KEY', 'the key is malformed', 'Take it from recipientKey().');
  if (new TextEncoder().encode(payload).length > MAX_BODY_BYTES)
    throw new TeamError(
      'WIRE_TOO_LARGE',
      'the payload is over 1 MiB',
      'Send less, or a reference.',
    );
  for (const roleId of [senderId, recipient])
    if (!isMember(teamId, roleId))
      throw new TeamError(
        'WIRE_NOT_A_MEMBER',
        `not in the team: ${roleId}`,
        'Add the member first.',
      );
}
