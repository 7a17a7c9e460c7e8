import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { storeAt, storePath } from '../../test/store-file.ts';
import { message, NEW_TEAM, registerTeam, TEAM, teamAt } from '../../test/team-file.ts';
import { openStore } from '../index.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

describe('C5 a team is registered before anything is written for it', () => {
  test('one team, one member for each role, one snapshot for each persona, and every write finds them', () => {
    const path = storePath();
    const { teams, wire, ledger } = teamAt(path);
    const persona = { version: '2', text: 'You are ann.' };
    teams.addMember({ teamId: TEAM, roleId: 'ann-2', memberName: 'Ann', persona, wave: 2 });
    wire.sendAll([message({ recipient: 'ann-2' })]);
    ledger.append({ teamId: TEAM, eventType: 'side_query' });
    expect(teams.members(TEAM)).toMatchObject([
      { roleId: 'ann', wave: 0 },
      { roleId: 'ann-2', wave: 2, memberName: 'Ann' },
      { roleId: 'bob' },
      { roleId: 'lead' },
    ]);
    const database = new SqliteDatabase(path, { readonly: true });
    const count = (table: string) =>
      database.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect(['teams', 'team_members', 'persona_snapshots'].map(count)).toEqual([1, 4, 3]);
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.close();
  });

  test('registering again, as a resumed run does, changes nothing', () => {
    const path = storePath();
    const store = openStore({ path });
    const { teams } = registerTeam(store, 'ann');
    teams.setStatus(TEAM, 'closed');
    const before = [teams.get(TEAM), teams.members(TEAM)];
    store.close();
    const again = registerTeam(storeAt(path), 'ann').teams;
    const persona = { version: '9', text: 'You are somebody else.' };
    again.addMember({ teamId: TEAM, roleId: 'ann', memberName: 'eve', persona });
    expect([again.get(TEAM), again.members(TEAM)]).toEqual(before);
    expect(again.ofRun('run')).toEqual(again.get(TEAM));
    expect(again.list()).toEqual([again.get(TEAM)]);
  });

  test.each([
    ['the id of a team of another run', { runId: 'run-2' }],
    ['a second team for a run', { teamId: 't2' }],
    ['a team of another project', { project: 'bank' }],
    ['a team with another lead', { leadRole: 'ann' }],
  ])('%s is refused', (_, over) => {
    const { teams } = teamAt(':memory:');
    expect(() => teams.create({ ...NEW_TEAM, ...over })).toThrow(coded('STORE_TEAM_EXISTS'));
    expect(teams.list()).toHaveLength(1);
  });

  test.each(['', 'x'.repeat(201), 'a\nb', 'a\ud800'])('%j is no name', (teamId) => {
    const { teams } = storeAt(':memory:').team;
    expect(() => teams.create({ ...NEW_TEAM, teamId })).toThrow(coded('STORE_BAD_NAME'));
  });

  test('a team that was never registered has no members and no status', () => {
    const { teams } = teamAt(':memory:');
    const persona = { version: '1', text: 'x' };
    const member = { teamId: 't9', roleId: 'ann', memberName: 'Ann', persona };
    expect(() => teams.addMember(member)).toThrow(coded('STORE_NO_SUCH_TEAM'));
    expect(() => teams.setStatus('t9', 'closed')).toThrow(coded('STORE_NO_SUCH_TEAM'));
    expect([teams.get('t9'), teams.ofRun('run-9'), teams.members('t9')]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });
});

test('a message tells with which persona its sender spoke', () => {
  const { teams, wire } = teamAt(':memory:');
  const [sent] = wire.sendAll([message()]);
  expect(teams.snapshot(sent?.personaSnapshotId ?? 0)).toMatchObject({
    ...{ version: '1', text: 'You are ann.' },
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/u),
  });
  expect(teams.snapshot(99)).toBeUndefined();
});

test('ST-08 the time of a row is that of the clock that was handed in', () => {
  const now = () => new Date('2026-03-01T08:00:00.000Z');
  const store = openStore({ path: ':memory:', now });
  const { wire, ledger } = registerTeam(store, 'ann');
  wire.sendAll([message()]);
  expect(wire.messages({ teamId: TEAM })[0]?.createdAt).toBe('2026-03-01T08:00:00.000Z');
  expect(ledger.append({ teamId: TEAM, eventType: 'x' }).createdAt).toBe(
    '2026-03-01T08:00:00.000Z',
  );
  store.close();
});
