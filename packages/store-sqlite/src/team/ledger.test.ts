import SqliteDatabase from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { storePath } from '../../test/store-file.ts';
import { tamper } from '../../test/tamper.ts';
import { NEW_TEAM, TEAM, teamAt } from '../../test/team-file.ts';

const coded = (code: string) => expect.objectContaining({ name: 'StoreError', code });

describe('the ledger of a team', () => {
  test('tells its rows oldest first, of one kind or of all', () => {
    const { ledger, teams } = teamAt(':memory:');
    teams.create({ ...NEW_TEAM, teamId: 't2', runId: 'run-2' });
    const one = ledger.append({ teamId: TEAM, eventType: 'side_query', payload: { n: 1 } });
    ledger.append({ teamId: 't2', eventType: 'side_query' });
    const three = ledger.append({ teamId: TEAM, eventType: 'aborted', payload: { n: 3 } });
    expect(ledger.list({ teamId: TEAM })).toEqual([one, three]);
    expect(ledger.list({ teamId: TEAM, eventType: 'aborted' })).toEqual([three]);
    expect([one.id, three.id]).toEqual([1, 3]);
    expect(ledger.list({ teamId: 't2' })).toMatchObject([{ payload: {} }]);
  });

  test('tells what is new of one kind, of whichever team', () => {
    const { ledger, teams } = teamAt(':memory:');
    teams.create({ ...NEW_TEAM, teamId: 't2', runId: 'run-2' });
    const one = ledger.append({ teamId: TEAM, eventType: 'x' });
    ledger.append({ teamId: TEAM, eventType: 'y' });
    const three = ledger.append({ teamId: 't2', eventType: 'x' });
    expect(ledger.after(0, 'x')).toEqual([one, three]);
    expect(ledger.after(one.id, 'x')).toEqual([three]);
    expect(ledger.after(three.id, 'x')).toEqual([]);
  });

  test('a payload is the same text in whichever order its keys came, and comes back whole', () => {
    const path = storePath();
    const { ledger } = teamAt(path);
    const payload = { b: [{ z: 1, a: '\ud800' }], a: null, ['__proto__']: { y: 1, x: 2 } };
    const { id } = ledger.append({ teamId: TEAM, eventType: 'x', payload });
    expect(ledger.list({ teamId: TEAM })[0]?.payload).toEqual(payload);
    const database = new SqliteDatabase(path, { readonly: true });
    const text = database.prepare('SELECT payload FROM team_audit_log WHERE id = ?').pluck();
    expect(text.get(id)).toBe('{"__proto__":{"x":2,"y":1},"a":null,"b":[{"a":"\\ud800","z":1}]}');
    database.close();
  });

  test('what can not be a row is refused, and nothing is written', () => {
    const { ledger } = teamAt(':memory:');
    const refused = (entry: object, code: string) =>
      expect(() => ledger.append({ teamId: TEAM, eventType: 'x', ...entry })).toThrow(coded(code));
    refused({ teamId: 't9' }, 'STORE_NO_SUCH_TEAM');
    refused({ eventType: '' }, 'STORE_BAD_NAME');
    refused({ payload: [1] }, 'STORE_NOT_JSON');
    refused({ payload: { n: 1n } }, 'STORE_NOT_JSON');
    refused({ payload: { text: 'x'.repeat(1_048_576) } }, 'STORE_TOO_LARGE');
    expect(ledger.list({ teamId: TEAM })).toEqual([]);
  });

  test('a row whose payload was spoilt tells nothing, and the others are still told', () => {
    const path = storePath();
    const { ledger } = teamAt(path);
    for (const n of [1, 2]) ledger.append({ teamId: TEAM, eventType: 'x', payload: { n } });
    tamper(
      path,
      "PRAGMA ignore_check_constraints = ON; UPDATE team_audit_log SET payload = '[' WHERE id = 1",
    );
    expect(ledger.list({ teamId: TEAM }).map(({ payload }) => payload)).toEqual([{}, { n: 2 }]);
  });
});

describe('TB-41 a latch is set once for each team', () => {
  const entry = { teamId: TEAM, eventType: 'persona_gap_escalation', payload: { gap_id: 'g' } };

  test('the first gives its row, and null ever after, by another process too', () => {
    const path = storePath();
    const { ledger } = teamAt(path);
    expect(ledger.latch('task-1', entry)).toMatchObject({ id: 1, payload: { gap_id: 'g' } });
    const other = teamAt(path).ledger;
    for (const _ of [1, 2, 3, 4, 5]) expect(other.latch('task-1', entry)).toBeNull();
    expect(ledger.list({ teamId: TEAM })).toHaveLength(1);
  });

  test('other latches, and those of other teams, are not touched', () => {
    const { ledger, teams } = teamAt(':memory:');
    teams.create({ ...NEW_TEAM, teamId: 't2', runId: 'run-2' });
    ledger.latch('g', entry);
    expect(ledger.latch('["post-mortem","g",0]', entry)).toMatchObject({ id: 2 });
    expect(ledger.latch('g', { ...entry, teamId: 't2' })).toMatchObject({ id: 3 });
    expect(ledger.latch('\ud800', entry)).toMatchObject({ id: 4 });
    expect(ledger.latch('\udfff', entry)).toMatchObject({ id: 5 });
  });

  test('one whose row can not be written stays open', () => {
    const { ledger } = teamAt(':memory:');
    expect(() => ledger.latch('g', { ...entry, eventType: '' })).toThrow(coded('STORE_BAD_NAME'));
    expect(() => ledger.latch('g', { ...entry, teamId: 't9' })).toThrow(
      coded('STORE_NO_SUCH_TEAM'),
    );
    expect(ledger.latch('g', entry)).toMatchObject({ id: 1 });
  });
});
