import type { Connection } from '../connection.ts';
import { type Slot, statement } from '../statement.ts';
import { givenName } from './given.ts';
import { keepPersona, type Persona } from './persona-snapshot.ts';
import type { MemberRow } from './schema.ts';

/** Somebody who joins a team. */
export interface NewMember {
  readonly teamId: string;
  readonly roleId: string;
  readonly memberName: string;
  readonly persona: Persona;
  /** The wave of the first task; 0 when absent, for who has none. */
  readonly wave?: number;
}

export interface Member {
  readonly teamId: string;
  readonly roleId: string;
  readonly memberName: string;
  readonly wave: number;
  readonly personaSnapshotId: number;
  readonly joinedAt: string;
}

type MemberName = Pick<MemberRow, 'team_id' | 'role_id'>;

const byRole = statement((tables, slot: Slot<MemberName>) =>
  tables
    .selectFrom('team_members')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .where('role_id', '=', slot('role_id')),
);

const ofTeam = statement((tables, slot: Slot<Pick<MemberRow, 'team_id'>>) =>
  tables
    .selectFrom('team_members')
    .selectAll()
    .where('team_id', '=', slot('team_id'))
    .orderBy('role_id'),
);

const insertMember = statement((tables, slot: Slot<MemberRow>) =>
  tables.insertInto('team_members').values({
    team_id: slot('team_id'),
    role_id: slot('role_id'),
    member_name: slot('member_name'),
    wave: slot('wave'),
    persona_snapshot_id: slot('persona_snapshot_id'),
    joined_at: slot('joined_at'),
  }),
);

/** Adds a member in the caller's transaction; one who is in already is told as they came in. */
export function writeMember(connection: Connection, member: NewMember, joined_at: string): Member {
  const name = { team_id: member.teamId, role_id: givenName(member.roleId, 'a role') };
  const [known] = connection.rows(byRole, name);
  if (known) return told(known);
  const row: MemberRow = {
    ...name,
    member_name: givenName(member.memberName, "a member's name"),
    wave: member.wave ?? 0,
    persona_snapshot_id: keepPersona(connection, member.persona, joined_at),
    joined_at,
  };
  connection.change(insertMember, row);
  return told(row);
}

/** One member of a team. */
export function readMember(
  connection: Connection,
  team_id: string,
  role_id: string,
): Member | undefined {
  const [row] = connection.rows(byRole, { team_id, role_id });
  return row && told(row);
}

/** The members of a team, by role. */
export const readMembers = (connection: Connection, team_id: string): readonly Member[] =>
  connection.rows(ofTeam, { team_id }).map(told);

const told = (row: MemberRow): Member => ({
  teamId: row.team_id,
  roleId: row.role_id,
  memberName: row.member_name,
  wave: row.wave,
  personaSnapshotId: row.persona_snapshot_id,
  joinedAt: row.joined_at,
});
