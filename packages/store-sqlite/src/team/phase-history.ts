import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import { givenText } from './given.ts';
import { nextId } from './next-id.ts';
import type { PhaseBypassRow, PhaseEventRow } from './schema.ts';

/** A step in the history of a project. */
export interface PhaseEvent {
  readonly id: number;
  readonly kind: PhaseEventRow['kind'];
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  /** What the step rests on, such as the hash of a plan. */
  readonly detail: string | null;
  /** The record of a step against the rules. */
  readonly bypassId: number | null;
  readonly at: string;
}

/** The record of a step against the rules: every one is a row of its own. */
export interface PhaseBypass {
  readonly id: number;
  readonly from: string;
  /** The phase that was asked for. */
  readonly to: string;
  /** The procedure that was let through; null for a forced phase. */
  readonly skill: string | null;
  readonly reason: string;
  readonly agent: string;
  readonly at: string;
}

type OfProject = Pick<PhaseEventRow, 'project'>;

const eventsOf = statement((tables, slot: Slot<OfProject>) =>
  tables
    .selectFrom('phase_events')
    .selectAll()
    .where('project', '=', slot('project'))
    .orderBy('id'),
);

const bypassesOf = statement((tables, slot: Slot<OfProject>) =>
  tables
    .selectFrom('phase_bypasses')
    .selectAll()
    .where('project', '=', slot('project'))
    .orderBy('id'),
);

const insertEvent = statement((tables, slot: Slot<PhaseEventRow>) =>
  tables.insertInto('phase_events').values({
    id: slot('id'),
    project: slot('project'),
    kind: slot('kind'),
    from_phase: slot('from_phase'),
    to_phase: slot('to_phase'),
    agent: slot('agent'),
    detail: slot('detail'),
    bypass_id: slot('bypass_id'),
    created_at: slot('created_at'),
  }),
);

const insertBypass = statement((tables, slot: Slot<PhaseBypassRow>) =>
  tables.insertInto('phase_bypasses').values({
    id: slot('id'),
    project: slot('project'),
    from_phase: slot('from_phase'),
    to_phase: slot('to_phase'),
    skill: slot('skill'),
    reason: slot('reason'),
    agent: slot('agent'),
    created_at: slot('created_at'),
  }),
);

const LONGEST_TEXT = 2_000;

/** Books a step in the caller's transaction. Throws `STORE_BAD_TEXT` without an agent. */
export function bookEvent(connection: Connection, event: Omit<PhaseEventRow, 'id'>): PhaseEvent {
  const agent = givenText(event.agent, 'the agent', LONGEST_TEXT);
  const detail = event.detail === null ? null : givenText(event.detail, 'the detail', LONGEST_TEXT);
  const row = { ...event, id: nextId(connection, 'phase_events'), agent, detail };
  connection.change(insertEvent, row);
  return eventOf(row);
}

/** Books a bypass in the caller's transaction. Throws `STORE_BAD_TEXT` without an agent or a reason. */
export function bookBypass(
  connection: Connection,
  bypass: Omit<PhaseBypassRow, 'id'>,
): PhaseBypass {
  const agent = givenText(bypass.agent, 'the agent', LONGEST_TEXT);
  const reason = givenText(bypass.reason, 'the reason', LONGEST_TEXT);
  const row = { ...bypass, id: nextId(connection, 'phase_bypasses'), agent, reason };
  connection.change(insertBypass, row);
  return bypassOf(row);
}

/** The steps of a project, oldest first. */
export const readEvents = (connection: Connection, project: string): readonly PhaseEvent[] =>
  connection.rows(eventsOf, { project }).map(eventOf);

/** The bypasses of a project, oldest first. */
export const readBypasses = (connection: Connection, project: string): readonly PhaseBypass[] =>
  connection.rows(bypassesOf, { project }).map(bypassOf);

const eventOf = (row: PhaseEventRow): PhaseEvent => ({
  id: row.id,
  kind: row.kind,
  from: row.from_phase,
  to: row.to_phase,
  agent: row.agent,
  detail: row.detail,
  bypassId: row.bypass_id,
  at: row.created_at,
});

const bypassOf = (row: PhaseBypassRow): PhaseBypass => ({
  id: row.id,
  from: row.from_phase,
  to: row.to_phase,
  skill: row.skill,
  reason: row.reason,
  agent: row.agent,
  at: row.created_at,
});
