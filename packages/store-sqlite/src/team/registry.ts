import { printable } from '@atelier/envelope';
import { keyText } from '../column-text.ts';
import type { Connection } from '../connection.ts';
import { StoreError } from '../error.ts';
import { type Slot, statement } from '../statement.ts';
import { givenName } from './given.ts';
import { type Member, type NewMember, readMembers, writeMember } from './member.ts';
import { assertTeam } from './membership.ts';
import { type PersonaSnapshot, readSnapshot } from './persona-snapshot.ts';
import { startProject } from './project-phase.ts';
import type { TeamRow } from './schema.ts';

/** The identity of a run's team. A run has one. */
export interface NewTeam {
  readonly teamId: string;
  readonly runId: string;
  readonly project: string;
  /** The role that leads it, and the only one that talks to a person. */
  readonly leadRole: string;
}

export interface Team extends NewTeam {
  readonly status: TeamRow['status'];
  readonly createdAt: string;
}

/** Who is there. Nothing can be sent or written to a ledger before its team is registered here. */
export interface TeamRegistry {
  /**
   * Registers a team, and its project at the first phase if that is new. The same again changes nothing. Throws
   * `STORE_TEAM_EXISTS` when the id or the run is that of another team.
   */
  create(team: NewTeam): Team;
  /** Adds a member, keeping the persona. Who is in stays as they came in. Throws `STORE_NO_SUCH_TEAM`. */
  addMember(member: NewMember): Member;
  /** Throws `STORE_NO_SUCH_TEAM`. */
  setStatus(teamId: string, status: Team['status']): void;
  get(teamId: string): Team | undefined;
  ofRun(runId: string): Team | undefined;
  /** Oldest first. */
  list(): readonly Team[];
  /** By role. */
  members(teamId: string): readonly Member[];
  /** The persona with which somebody joined or sent. */
  snapshot(id: number): PersonaSnapshot | undefined;
}

const byId = statement((tables, slot: Slot<Pick<TeamRow, 'team_id'>>) =>
  tables.selectFrom('teams').selectAll().where('team_id', '=', slot('team_id')),
);

const byRun = statement((tables, slot: Slot<Pick<TeamRow, 'run_id'>>) =>
  tables.selectFrom('teams').selectAll().where('run_id', '=', slot('run_id')),
);

const everyTeam = statement((tables, _slot: Slot<object>) =>
  tables.selectFrom('teams').selectAll().orderBy('created_at').orderBy('team_id'),
);

const insertTeam = statement((tables, slot: Slot<TeamRow>) =>
  tables.insertInto('teams').values({
    team_id: slot('team_id'),
    run_id: slot('run_id'),
    project: slot('project'),
    lead_role: slot('lead_role'),
    status: slot('status'),
    created_at: slot('created_at'),
  }),
);

const updateStatus = statement((tables, slot: Slot<Pick<TeamRow, 'team_id' | 'status'>>) =>
  tables
    .updateTable('teams')
    .set({ status: slot('status') })
    .where('team_id', '=', slot('team_id')),
);

/** The registry over a connection. */
export function teamRegistry(connection: Connection, now: () => string): TeamRegistry {
  const get = (team_id: string): Team | undefined => {
    const [row] = connection.rows(byId, { team_id });
    return row && told(row);
  };
  const ofRun = (runId: string): Team | undefined => {
    const [row] = connection.rows(byRun, { run_id: keyText(runId) });
    return row && told(row);
  };
  return {
    create(team) {
      const row: TeamRow = {
        team_id: givenName(team.teamId, 'a team id'),
        run_id: keyText(team.runId),
        project: givenName(team.project, 'a project'),
        lead_role: givenName(team.leadRole, 'a role'),
        status: 'active',
        created_at: now(),
      };
      return connection.atomically(() => {
        const known = get(row.team_id) ?? ofRun(team.runId);
        if (known) return assertSame(known, told(row));
        startProject(connection, row.project, row.created_at);
        connection.change(insertTeam, row);
        return told(row);
      });
    },
    addMember: (member) =>
      connection.atomically(() => {
        assertTeam(connection, member.teamId);
        return writeMember(connection, member, now());
      }),
    setStatus(team_id, status) {
      if (connection.change(updateStatus, { team_id, status }) === 0)
        assertTeam(connection, team_id);
    },
    get,
    ofRun,
    list: () => connection.rows(everyTeam, {}).map(told),
    members: (teamId) => readMembers(connection, teamId),
    snapshot: (id) => readSnapshot(connection, id),
  };
}

const told = (row: TeamRow): Team => ({
  teamId: row.team_id,
  runId: row.run_id,
  project: row.project,
  leadRole: row.lead_role,
  status: row.status,
  createdAt: row.created_at,
});

function assertSame(known: Team, wanted: Team): Team {
  const same = (['teamId', 'runId', 'project', 'leadRole'] as const).every(
    (name) => known[name] === wanted[name],
  );
  if (same) return known;
  throw new StoreError(
    'STORE_TEAM_EXISTS',
    `team ${printable(known.teamId)} of run ${printable(known.runId)} is there already, and another`,
    'Nothing was written. A team belongs to one run, one project and one lead for good.',
  );
}
