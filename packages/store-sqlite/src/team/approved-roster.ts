import { printable } from '@atelier/envelope';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import { givenName, givenText } from './given.ts';
import { payloadIn } from './ledger.ts';
import type { AuditLogRow, RosterAgentRow } from './schema.ts';

/** A persona that a person let into the roster. */
export interface ApprovedPersona {
  readonly id: string;
  readonly profile: string;
  readonly teamId: string;
  /** Rows of the ledger. */
  readonly proposalId: number;
  readonly consentId: number;
  readonly approvedBy: string;
}

/** The personas that people let in, for good: whether consent still stands is for the ledger to say. */
export interface ApprovedRoster {
  /**
   * Adds a persona unless what came of its proposal is there already, in one step; gives the one that is there. An id may
   * have several, of proposals one after the other. Throws `STORE_NO_CONSENT` unless the row of the ledger that it names says yes to the proposal that it names.
   */
  add(persona: ApprovedPersona): ApprovedPersona;
  /** By id, and then by proposal. */
  list(): readonly ApprovedPersona[];
}

const byId = statement((tables, slot: Slot<Pick<RosterAgentRow, 'agent_id'>>) =>
  tables.selectFrom('roster_agents').selectAll().where('agent_id', '=', slot('agent_id')),
);

const everyAgent = statement((tables, _slot: Slot<object>) =>
  tables.selectFrom('roster_agents').selectAll().orderBy('agent_id'),
);

const rowOfLedger = statement((tables, slot: Slot<Pick<AuditLogRow, 'id' | 'team_id'>>) =>
  tables
    .selectFrom('team_audit_log')
    .select(['event_type', 'payload'])
    .where('id', '=', slot('id'))
    .where('team_id', '=', slot('team_id')),
);

const insertAgent = statement((tables, slot: Slot<RosterAgentRow>) =>
  tables.insertInto('roster_agents').values({
    agent_id: slot('agent_id'),
    profile: slot('profile'),
    team_id: slot('team_id'),
    proposal_id: slot('proposal_id'),
    consent_id: slot('consent_id'),
    approved_by: slot('approved_by'),
    created_at: slot('created_at'),
  }),
);

const LONGEST_PROFILE = 100_000;

/** The roster over a connection. */
export const approvedRoster = (connection: Connection, now: () => string): ApprovedRoster => ({
  add(persona) {
    const row: RosterAgentRow = {
      agent_id: nameOfRow(persona),
      profile: givenText(persona.profile, 'the profile', LONGEST_PROFILE),
      team_id: persona.teamId,
      proposal_id: persona.proposalId,
      consent_id: persona.consentId,
      approved_by: givenText(persona.approvedBy, 'who approved', 1_000),
      created_at: now(),
    };
    return connection.atomically(() => {
      const [known] = connection.rows(byId, row);
      if (known) return told(known);
      assertConsent(connection, row);
      connection.change(insertAgent, row);
      return told(row);
    });
  },
  list: () =>
    connection
      .rows(everyAgent, {})
      .map(told)
      .sort((one, other) =>
        one.id === other.id ? one.proposalId - other.proposalId : one.id < other.id ? -1 : 1,
      ),
});

/** No id of a persona has it: what is before it is the id, what is after it the proposal. Early rows are of the id alone. */
const OF = '@';

function nameOfRow({ id, proposalId }: ApprovedPersona): string {
  const name = givenName(id, 'a persona id');
  if (name.includes(OF)) throw notAnId(name);
  return `${name}${OF}${proposalId}`;
}

function assertConsent(connection: Connection, row: RosterAgentRow): void {
  const [consent] = connection.rows(rowOfLedger, { id: row.consent_id, team_id: row.team_id });
  const said = payloadIn(consent?.payload ?? null);
  const given = consent?.event_type === 'roster_consent' && said['acked'] === true;
  if (given && said['proposal_id'] === row.proposal_id) return;
  throw new StoreError(
    'STORE_NO_CONSENT',
    `nobody agreed to the persona ${printable(row.agent_id, 80)}`,
    'Nothing was written. A person has to decide on the proposal first.',
  );
}

const notAnId = (name: string): StoreError =>
  new StoreError(
    'STORE_BAD_NAME',
    `a persona id is no name: ${printable(name, 40)}`,
    `Nothing was written. Give it without ${OF}.`,
  );

const told = (row: RosterAgentRow): ApprovedPersona => ({
  id: row.agent_id.split(OF)[0] ?? row.agent_id,
  profile: row.profile,
  teamId: row.team_id,
  proposalId: row.proposal_id,
  consentId: row.consent_id,
  approvedBy: row.approved_by,
});
