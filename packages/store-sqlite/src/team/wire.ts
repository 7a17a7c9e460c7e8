import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import { readCursor } from './cursor.ts';
import {
  type InboxQuery,
  type MessageQuery,
  markRead,
  type ReadMark,
  readInbox,
  readMessages,
} from './inbox.ts';
import type { OutgoingMessage } from './message.ts';
import { type Resolved, resolvePayload } from './payload.ts';
import { lastSeq, type SendOptions, type SentMessage, sendAll } from './send.ts';
import type { WireRow } from './wire-row.ts';

/** The append-only messages of all teams. Authority comes from none of them, whatever they say. */
export interface TeamWire {
  /**
   * Puts messages on the wire, all or none, in this order. Throws `STORE_BAD_MESSAGE`, `STORE_MESSAGE_TOO_LARGE`,
   * `STORE_WIRE_VERSION`, `STORE_NO_SUCH_TEAM` or `STORE_NOT_A_MEMBER`; then nothing was written.
   */
  sendAll(messages: readonly OutgoingMessage[], options?: SendOptions): readonly SentMessage[];
  /**
   * What a member has not read yet, in the order of `seq`; the member's cursor moves to the end of it, and never back.
   * Throws `STORE_NO_SUCH_TEAM`, `STORE_NOT_A_MEMBER` or `STORE_BAD_RANGE`.
   */
  read(query: InboxQuery): readonly WireRow[];
  /** Moves a member's cursor, for who read with `advance: false`. It never goes back. Throws what `read` throws. */
  markRead(mark: ReadMark): void;
  /** Whole messages of a team, or of one of its meetings, oldest first. No cursor moves. */
  messages(query: MessageQuery): readonly WireRow[];
  /** How far a member has read; 0 before the first. */
  cursor(teamId: string, roleId: string): number;
  /** The `seq` of the last message to a member; 0 before the first. */
  lastSeq(teamId: string, roleId: string): number;
  /** A long payload by its address. */
  resolve(teamId: string, sha256: string): Resolved;
  /** When each sender of heartbeats was last heard, by team and role. It tells, and decides nothing. */
  heartbeats(): readonly (readonly [teamId: string, roleId: string, lastSeen: string])[];
}

const lastHeartbeats = statement((tables, _slot: Slot<object>) =>
  tables
    .selectFrom('bridge_messages')
    .select(({ fn }) => ['team_id', 'sender_id', fn.max('created_at').as('last_seen')])
    .where('kind', '=', 'heartbeat')
    .groupBy(['team_id', 'sender_id'])
    .orderBy('team_id')
    .orderBy('sender_id'),
);

/** The wire over a connection. A message that is sent without options has the given ones. */
export const teamWire = (
  connection: Connection,
  now: () => string,
  usual: SendOptions = {},
): TeamWire => ({
  sendAll: (messages, options) => sendAll(connection, messages, { ...usual, ...options, now }),
  read: (query) => readInbox(connection, query, now),
  markRead: (mark) => markRead(connection, mark, now),
  messages: (query) => readMessages(connection, query),
  cursor: (team_id, recipient) => readCursor(connection, { team_id, recipient }),
  lastSeq: (teamId, roleId) => lastSeq(connection, teamId, roleId),
  resolve: (teamId, sha256) => resolvePayload(connection, teamId, sha256),
  heartbeats: () =>
    connection
      .rows(lastHeartbeats, {})
      .map(({ team_id, sender_id, last_seen }) => [team_id, sender_id, last_seen] as const),
});
