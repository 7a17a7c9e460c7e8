import { printable } from '@atelier/envelope';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, type Statement, statement } from '../statement.ts';
import { type Member, readMember } from './member.ts';
import type { TeamRow } from './schema.ts';

const team = statement((tables, slot: Slot<Pick<TeamRow, 'team_id'>>) =>
  tables.selectFrom('teams').select('team_id').where('team_id', '=', slot('team_id')),
);

const versionOfWire: Statement<object, { readonly user_version: number }> = {
  sql: 'PRAGMA user_version',
  constants: [],
};

/** The version of the wire that this code writes and reads. */
const WIRE_VERSION = 1;

/** Throws `STORE_WIRE_VERSION` when the wire of this file is of another version. */
export function assertWireVersion(connection: Connection): void {
  const [found] = connection.rows(versionOfWire, {});
  if (found?.user_version === WIRE_VERSION) return;
  throw new StoreError(
    'STORE_WIRE_VERSION',
    `the wire of this store is of version ${found?.user_version}, this is version ${WIRE_VERSION}`,
    'Nothing was written. Another program has changed the file; use the version that goes with it.',
  );
}

/** Throws `STORE_NO_SUCH_TEAM`. */
export function assertTeam(connection: Connection, team_id: string): void {
  if (connection.rows(team, { team_id }).length > 0) return;
  throw new StoreError(
    'STORE_NO_SUCH_TEAM',
    `there is no team ${printable(team_id)}`,
    'Nothing was written. Register it first, with teams.create.',
  );
}

/** A member of a team. Throws `STORE_NO_SUCH_TEAM`, or `STORE_NOT_A_MEMBER`. */
export function memberOf(connection: Connection, teamId: string, roleId: string): Member {
  const member = readMember(connection, teamId, roleId);
  if (member) return member;
  assertTeam(connection, teamId);
  throw new StoreError(
    'STORE_NOT_A_MEMBER',
    `${printable(roleId)} is not in the team ${printable(teamId)}`,
    'Nothing was written. Add the member first, with teams.addMember.',
  );
}
