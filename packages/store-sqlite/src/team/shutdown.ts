import { printable } from '@atelier/envelope';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import { givenName, givenText } from './given.ts';
import type { ShutdownRequestRow, ShutdownResponseRow } from './schema.ts';
import { sendAll } from './send.ts';

/** Asks a member to stop. */
export interface ShutdownRequest {
  readonly teamId: string;
  /** The same again is the same request, sent once. */
  readonly requestId: string;
  readonly requestedBy: string;
  readonly recipient: string;
  readonly reason?: string;
}

/** What the one who was asked says. Approval promises that nothing more is written. */
export interface ShutdownResponse {
  readonly requestId: string;
  /** Must be who was asked. */
  readonly respondedBy: string;
  readonly approve: boolean;
  /** Needed to refuse. */
  readonly reason?: string;
}

/** A request with its answer, once there is one. */
export interface Shutdown extends Required<Omit<ShutdownRequest, 'reason'>> {
  readonly reason: string | null;
  readonly requestedAt: string;
  readonly answer: {
    readonly approve: boolean;
    readonly reason: string | null;
    readonly respondedAt: string;
  } | null;
}

/** The handshake before somebody stops: each side is a message on the wire and a row, written together. */
export interface Shutdowns {
  /** Throws `STORE_SHUTDOWN_TAKEN` when the id is that of another request, and what sending throws. */
  request(request: ShutdownRequest): Shutdown;
  /**
   * The same answer again changes nothing. Throws `STORE_NO_SUCH_REQUEST`, `STORE_NOT_ASKED` for anybody but the one
   * who was asked, `STORE_BAD_TEXT` for a refusal without a reason, `STORE_SHUTDOWN_ANSWERED` for another answer.
   */
  respond(response: ShutdownResponse): Shutdown;
  /** In the order of asking. */
  list(teamId: string): readonly Shutdown[];
}

type RequestName = Pick<ShutdownRequestRow, 'request_id'>;

const requestById = statement((tables, slot: Slot<RequestName>) =>
  tables.selectFrom('shutdown_requests').selectAll().where('request_id', '=', slot('request_id')),
);

const responseTo = statement((tables, slot: Slot<RequestName>) =>
  tables.selectFrom('shutdown_responses').selectAll().where('request_id', '=', slot('request_id')),
);

const requestsOf = statement((tables, slot: Slot<Pick<ShutdownRequestRow, 'team_id'>>) =>
  tables
    .selectFrom('shutdown_requests')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .orderBy('created_at')
    .orderBy('request_id'),
);

const insertRequest = statement((tables, slot: Slot<ShutdownRequestRow>) =>
  tables.insertInto('shutdown_requests').values({
    request_id: slot('request_id'),
    team_id: slot('team_id'),
    requested_by: slot('requested_by'),
    recipient: slot('recipient'),
    reason: slot('reason'),
    seq: slot('seq'),
    created_at: slot('created_at'),
  }),
);

const insertResponse = statement((tables, slot: Slot<ShutdownResponseRow>) =>
  tables.insertInto('shutdown_responses').values({
    request_id: slot('request_id'),
    approve: slot('approve'),
    reason: slot('reason'),
    seq: slot('seq'),
    created_at: slot('created_at'),
  }),
);

const LONGEST_REASON = 1_000;

/** The handshakes over a connection. */
export function shutdowns(connection: Connection, now: () => string): Shutdowns {
  const find = (request_id: string): Shutdown | undefined => {
    const [row] = connection.rows(requestById, { request_id });
    return row && withAnswer(connection, row);
  };

  return {
    request({ teamId, requestId, requestedBy, recipient, reason }) {
      givenName(requestId, 'a request id');
      const why = reason === undefined ? null : givenText(reason, 'the reason', LONGEST_REASON);
      return connection.atomically(() => {
        const known = find(requestId);
        if (known) return assertSame(known, { teamId, requestedBy, recipient });
        const message = { type: 'shutdown_request', request_id: requestId, reason: why };
        const seq = post(
          { teamId, recipient, senderId: requestedBy, kind: 'shutdown_req' },
          message,
        );
        const row: ShutdownRequestRow = {
          ...{ request_id: requestId, team_id: teamId, requested_by: requestedBy },
          ...{ recipient, reason: why, seq, created_at: now() },
        };
        connection.change(insertRequest, row);
        return told(row, undefined);
      });
    },
    respond({ requestId, respondedBy, approve, reason }) {
      const why =
        approve && reason === undefined
          ? null
          : givenText(reason ?? '', 'the reason', LONGEST_REASON);
      return connection.atomically(() => {
        const request = find(requestId);
        if (!request) throw noSuchRequest(requestId);
        if (request.recipient !== respondedBy) throw notAsked(request, respondedBy);
        if (request.answer) return assertAnswered(request, approve);
        const { teamId, requestedBy } = request;
        const message = { type: 'shutdown_response', request_id: requestId, approve, reason: why };
        const to = { teamId, recipient: requestedBy, senderId: respondedBy };
        const seq = post({ ...to, kind: 'shutdown_resp' }, message);
        const created_at = now();
        const row = {
          request_id: requestId,
          approve: Number(approve),
          reason: why,
          seq,
          created_at,
        };
        connection.change(insertResponse, row);
        return { ...request, answer: answerOf(row) };
      });
    },
    list: (team_id) =>
      connection.rows(requestsOf, { team_id }).map((row) => withAnswer(connection, row)),
  };

  function post(
    to: Omit<Parameters<typeof sendAll>[1][number], 'payload'>,
    message: object,
  ): number {
    const [sent] = sendAll(connection, [{ ...to, payload: JSON.stringify(message) }], { now });
    return sent?.seq ?? 0;
  }
}

const withAnswer = (connection: Connection, row: ShutdownRequestRow): Shutdown =>
  told(row, connection.rows(responseTo, { request_id: row.request_id })[0]);

const told = (row: ShutdownRequestRow, answer: ShutdownResponseRow | undefined): Shutdown => ({
  requestId: row.request_id,
  teamId: row.team_id,
  requestedBy: row.requested_by,
  recipient: row.recipient,
  reason: row.reason,
  requestedAt: row.created_at,
  answer: answer ? answerOf(answer) : null,
});

const answerOf = ({ approve, reason, created_at }: ShutdownResponseRow) => ({
  ...{ approve: approve === 1, reason, respondedAt: created_at },
});

function assertSame(
  known: Shutdown,
  wanted: Pick<Shutdown, 'teamId' | 'requestedBy' | 'recipient'>,
): Shutdown {
  const same = (['teamId', 'requestedBy', 'recipient'] as const).every(
    (name) => known[name] === wanted[name],
  );
  if (same) return known;
  throw refusal('TAKEN', known, 'is there already, and is another');
}

function assertAnswered(request: Shutdown, approve: boolean): Shutdown {
  if (request.answer?.approve === approve) return request;
  throw refusal('ANSWERED', request, 'was answered otherwise');
}

const refusal = (what: string, { requestId }: Shutdown, why: string): StoreError =>
  new StoreError(
    `STORE_SHUTDOWN_${what}`,
    `the request ${printable(requestId)} ${why}`,
    'Nothing was written. Ask anew, under another id.',
  );

const noSuchRequest = (requestId: string): StoreError =>
  new StoreError(
    'STORE_NO_SUCH_REQUEST',
    `nobody was asked to stop by ${printable(requestId)}`,
    'Nothing was written. Answer with the id of the request.',
  );

const notAsked = ({ requestId }: Shutdown, by: string): StoreError =>
  new StoreError(
    'STORE_NOT_ASKED',
    `${printable(requestId)} does not ask ${printable(by)} to stop`,
    'Nothing was written. Only the member who was asked can answer.',
  );
