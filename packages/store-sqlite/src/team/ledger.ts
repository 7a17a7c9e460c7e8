import type { JsonValue } from '@atelier/envelope';
import { jsonText, keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { isObject } from '../evidence.ts';
import { type Slot, type Statement, statement } from '../statement.ts';
import { givenName } from './given.ts';
import { assertTeam } from './membership.ts';
import { nextId } from './next-id.ts';
import type { AuditLogRow, LatchRow } from './schema.ts';

/** What is written to the ledger of a team. */
export interface AuditEntry {
  readonly teamId: string;
  /** An open set: whoever writes a row names its kind. */
  readonly eventType: string;
  readonly payload?: { readonly [key: string]: JsonValue };
}

/** A row of the ledger. */
export interface AuditRow extends Required<AuditEntry> {
  /** Grows by one with every row of the store. */
  readonly id: number;
  readonly createdAt: string;
}

/** The append-only ledger of all teams. The file itself refuses a changed, removed or inserted row. */
export interface TeamLedger {
  /** Throws `STORE_NO_SUCH_TEAM`, `STORE_BAD_NAME` or `STORE_NOT_JSON`; then nothing was written. */
  append(entry: AuditEntry): AuditRow;
  /** Oldest first; of one kind when it is named. */
  list(query: { readonly teamId: string; readonly eventType?: string }): readonly AuditRow[];
  /** What was written of one kind after that row, by whichever team; oldest first. */
  after(id: number, eventType: string): readonly AuditRow[];
  /**
   * Appends the entry the first time that its team comes with this latch, and gives null ever after: one row in all,
   * however many processes ask at once. Throws what `append` throws.
   */
  latch(latch: string, entry: AuditEntry): AuditRow | null;
}

const insertRow = statement((tables, slot: Slot<AuditLogRow>) =>
  tables.insertInto('team_audit_log').values({
    id: slot('id'),
    team_id: slot('team_id'),
    event_type: slot('event_type'),
    payload: slot('payload'),
    created_at: slot('created_at'),
  }),
);

const insertLatch = statement((tables, slot: Slot<LatchRow>) =>
  tables
    .insertInto('escalation_latches')
    .values({ team_id: slot('team_id'), gap_id: slot('gap_id'), audit_id: slot('audit_id') })
    .onConflict((conflict) => conflict.doNothing()),
);

type OfTeam = Pick<AuditLogRow, 'team_id'>;

const ofTeam: Statement<OfTeam, AuditLogRow> = statement((tables, slot: Slot<OfTeam>) =>
  tables
    .selectFrom('team_audit_log')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .orderBy('id'),
);

const ofKind = statement((tables, slot: Slot<OfTeam & Pick<AuditLogRow, 'event_type'>>) =>
  tables
    .selectFrom('team_audit_log')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .where('event_type', '=', slot('event_type'))
    .orderBy('id'),
);

const ofKindAfter = statement((tables, slot: Slot<Pick<AuditLogRow, 'id' | 'event_type'>>) =>
  tables
    .selectFrom('team_audit_log')
    .selectAll()
    .where('id', '>', slot('id'))
    .where('event_type', '=', slot('event_type'))
    .orderBy('id'),
);

/** The ledger over a connection. */
export function teamLedger(connection: Connection, now: () => string): TeamLedger {
  const append = (entry: AuditEntry): AuditRow =>
    connection.atomically(() => {
      assertTeam(connection, entry.teamId);
      const row: AuditLogRow = {
        id: nextId(connection, 'team_audit_log'),
        team_id: entry.teamId,
        event_type: givenName(entry.eventType, 'a kind of entry'),
        payload: payloadText(entry.payload),
        created_at: now(),
      };
      connection.change(insertRow, row);
      return told(row);
    });

  return {
    append,
    list: ({ teamId: team_id, eventType: event_type }) =>
      (event_type === undefined
        ? connection.rows(ofTeam, { team_id })
        : connection.rows(ofKind, { team_id, event_type })
      ).map(told),
    after: (id, event_type) => connection.rows(ofKindAfter, { id, event_type }).map(told),
    latch: (latch, entry) =>
      connection.atomically(() => {
        assertTeam(connection, entry.teamId);
        const audit_id = nextId(connection, 'team_audit_log');
        // The row that it names follows in this transaction.
        const row = { team_id: entry.teamId, gap_id: keyText(latch), audit_id };
        return connection.change(insertLatch, row) === 0 ? null : append(entry);
      }),
  };
}

/** UTF-8 bytes of a payload: what a person is shown has to end somewhere. */
const LONGEST_PAYLOAD = 1_048_576;

function payloadText(payload: AuditEntry['payload'] = {}): string {
  if (!isObject(payload)) throw notAnObject();
  const text = jsonText(sorted(payload));
  if (Buffer.byteLength(text) > LONGEST_PAYLOAD) throw tooLarge();
  return text;
}

/** The same payload is the same text, whoever wrote its keys in whichever order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

const told = (row: AuditLogRow): AuditRow => ({
  id: row.id,
  teamId: row.team_id,
  eventType: row.event_type,
  payload: payloadIn(row.payload),
  createdAt: row.created_at,
});

/** What a row of the ledger tells: nothing where its payload is none, so that no reader falls over one row. */
export function payloadIn(text: string | null): AuditRow['payload'] {
  try {
    const payload: unknown = JSON.parse(text ?? '{}');
    return isObject(payload) ? (payload as AuditRow['payload']) : {};
  } catch {
    return {};
  }
}

const notAnObject = (): StoreError =>
  new StoreError(
    'STORE_NOT_JSON',
    'the payload of an entry is no object',
    'Nothing was written. Hand in plain data under names.',
  );

const tooLarge = (): StoreError =>
  new StoreError(
    'STORE_TOO_LARGE',
    `the payload of an entry is over ${LONGEST_PAYLOAD} bytes`,
    'Nothing was written. Write a summary, and where the rest is.',
  );
