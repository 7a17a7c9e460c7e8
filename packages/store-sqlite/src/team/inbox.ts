import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import { moveCursor, readCursor } from './cursor.ts';
import { assertWireVersion, memberOf } from './membership.ts';
import type { MessageType } from './message.ts';
import type { MessageRow } from './schema.ts';
import { lastSeq } from './send.ts';
import { type WireRow, wireRows } from './wire-row.ts';

/** What is read of one inbox. */
export interface InboxQuery {
  readonly teamId: string;
  /** Whose it is. */
  readonly roleId: string;
  /** Messages after this one; those after the reader's cursor when absent. */
  readonly sinceSeq?: number;
  /** 1 to 5,000; 500 when absent. */
  readonly limit?: number;
  /** Heartbeats too; they are left out when absent. */
  readonly heartbeats?: boolean;
  /** Whole bodies in place of stubs. */
  readonly resolve?: boolean;
  /** `false` leaves the cursor where it is, for who only looks or has yet to act on what was read. */
  readonly advance?: boolean;
}

/** How far a member has come. */
export interface ReadMark {
  readonly teamId: string;
  readonly roleId: string;
  readonly seq: number;
}

/** What is read of a team's messages, whoever got them. */
export interface MessageQuery {
  readonly teamId: string;
  readonly meetingId?: string;
  readonly mtype?: MessageType;
  readonly afterId?: number;
}

const DEFAULT_LIMIT = 500;

const LONGEST_READ = 5_000;

interface Inbox extends Pick<MessageRow, 'team_id' | 'recipient'> {
  readonly since: number;
  readonly limit: number;
  readonly heartbeats: number;
}

const inInbox = statement((tables, slot: Slot<Inbox>) =>
  tables
    .selectFrom('bridge_messages')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .where('recipient', '=', slot('recipient'))
    .where('seq', '>', slot('since'))
    .where((test) => test.or([test(slot('heartbeats'), '=', 1), test('kind', '!=', 'heartbeat')]))
    .orderBy('seq')
    .limit(slot('limit')),
);

interface Selected extends Pick<MessageRow, 'team_id'> {
  readonly after: number;
  readonly only: MessageType | null;
}

const ofTeam = statement((tables, slot: Slot<Selected>) =>
  tables
    .selectFrom('bridge_messages')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .where('id', '>', slot('after'))
    .where((test) => test.or([test(slot('only'), 'is', null), test('mtype', '=', slot('only'))]))
    .orderBy('id'),
);

const ofMeeting = statement((tables, slot: Slot<Selected & { readonly meeting_id: string }>) =>
  tables
    .selectFrom('bridge_messages')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .where('meeting_id', '=', slot('meeting_id'))
    .where('id', '>', slot('after'))
    .where((test) => test.or([test(slot('only'), 'is', null), test('mtype', '=', slot('only'))]))
    .orderBy('id'),
);

/**
 * Reads one inbox in the order of `seq`, and moves its cursor to what was read. Throws `STORE_WIRE_VERSION`,
 * `STORE_NO_SUCH_TEAM`, `STORE_NOT_A_MEMBER`, or `STORE_BAD_RANGE`.
 */
export function readInbox(
  connection: Connection,
  { teamId, roleId, advance = true, ...query }: InboxQuery,
  now: () => string,
): readonly WireRow[] {
  const { limit = DEFAULT_LIMIT, heartbeats = false, resolve = false } = query;
  assertRange(limit, 1, LONGEST_READ);
  const read = (): readonly WireRow[] => {
    assertWireVersion(connection);
    memberOf(connection, teamId, roleId);
    const name = { team_id: teamId, recipient: roleId };
    const since = query.sinceSeq ?? readCursor(connection, name);
    assertRange(since, 0, Number.MAX_SAFE_INTEGER);
    const rows = connection.rows(inInbox, { ...name, since, limit, heartbeats: +heartbeats });
    const last = rows.at(-1);
    if (advance && last)
      moveCursor(connection, { ...name, last_seq: last.seq, delivered_at: now() });
    return wireRows(connection, rows, resolve);
  };
  return advance ? connection.atomically(read) : read();
}

/** Moves a cursor forward to a message that is there, once what came before it is done. Throws as reading does. */
export function markRead(
  connection: Connection,
  { teamId, roleId, seq }: ReadMark,
  now: () => string,
): void {
  connection.atomically(() => {
    assertWireVersion(connection);
    memberOf(connection, teamId, roleId);
    assertRange(seq, 1, lastSeq(connection, teamId, roleId));
    const name = { team_id: teamId, recipient: roleId };
    moveCursor(connection, { ...name, last_seq: seq, delivered_at: now() });
  });
}

/** The messages of a team or of one of its meetings with their whole bodies, oldest first. No cursor moves. */
export function readMessages(
  connection: Connection,
  { teamId, meetingId, mtype, afterId = 0 }: MessageQuery,
): readonly WireRow[] {
  assertWireVersion(connection);
  const query = { team_id: teamId, after: afterId, only: mtype ?? null };
  const rows =
    meetingId === undefined
      ? connection.rows(ofTeam, query)
      : connection.rows(ofMeeting, { ...query, meeting_id: meetingId });
  return wireRows(connection, rows, true);
}

function assertRange(value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new StoreError(
    'STORE_BAD_RANGE',
    `${value} is no whole number from ${least} to ${most}`,
    'Nothing was read. Name how many messages, and after which one.',
  );
}
