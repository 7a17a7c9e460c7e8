import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { keyOf, message, registerTeam, TEAM } from '../../test/team-file.ts';
import { openStore } from '../index.ts';

/** A file with a row in every table of the team, and another program's hand on it. No test changes what is there. */
let file: SqliteDatabase.Database;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-store-'));
  const path = join(folder, 'atelier.db');
  const store = openStore({ path });
  const { wire, ledger, phases, roster, shutdowns } = registerTeam(store, 'ann', 'bob');
  const payload = 'x'.repeat(5_000);
  wire.sendAll([message({ idempotencyKey: keyOf(1) }), message({ payload, recipient: 'bob' })]);
  wire.read({ teamId: TEAM, roleId: 'lead' });
  const request = { teamId: TEAM, requestId: 'r', requestedBy: 'bob', recipient: 'ann' };
  shutdowns.request(request);
  shutdowns.respond({ requestId: 'r', respondedBy: 'ann', approve: true });
  ledger.latch('g', { teamId: TEAM, eventType: 'persona_gap_escalation' });
  const proposal = ledger.append({ teamId: TEAM, eventType: 'roster_proposal' });
  const consent = ledger.append({
    ...{ teamId: TEAM, eventType: 'roster_consent' },
    payload: { acked: true, proposal_id: proposal.id },
  });
  roster.add({
    ...{ id: 'tuner', profile: 'You tune.', teamId: TEAM, approvedBy: 'kim' },
    ...{ proposalId: proposal.id, consentId: consent.id },
  });
  phases.bypass({ project: 'shop', skill: 'dev:tdd', agent: 'kim', reason: 'a trial' });
  store.close();
  file = new SqliteDatabase(path);
  // Nothing but the triggers and the checks is to be in the way.
  file.pragma('foreign_keys = OFF');
  return () => {
    file.close();
    rmSync(folder, { recursive: true });
  };
});

const TABLES = [
  'phase_events',
  'phase_bypasses',
  'persona_snapshots',
  'bridge_payloads',
  'bridge_messages',
  'shutdown_requests',
  'shutdown_responses',
  'team_audit_log',
  'escalation_latches',
  'roster_agents',
] as const;

const rowsOf = (table: string) =>
  file.prepare(`SELECT rowid, * FROM ${table} ORDER BY rowid`).all();

/** The columns of a table that can be written. */
const columnsOf = (table: string) =>
  (file.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);

interface Row {
  readonly id: number;
  readonly seq: number;
  readonly key?: string;
  readonly kind?: string;
  readonly payload?: string;
}

/** The fifth message, and the second to the lead: what comes next, unless it is said otherwise. */
function insertMessage({ id, seq, key, kind = 'reply', payload = 'x' }: Row): void {
  file
    .prepare(
      `INSERT OR REPLACE INTO bridge_messages (id, team_id, recipient, seq, sender_id,
        idempotency_key, kind, payload, persona_snapshot_id, created_at)
        VALUES (?, 't1', 'lead', ?, 'ann', ?, ?, ?, 1, '')`,
    )
    .run(id, seq, key ?? null, kind, payload);
}

describe('what was written stays as it is, for other programs that open the file too', () => {
  test.each(TABLES)('%s', (table) => {
    const before = rowsOf(table);
    expect(before.length).toBeGreaterThan(0);
    const columns = columnsOf(table);
    const last = columns.at(-1);
    const tried = [
      `UPDATE ${table} SET ${last} = ${last}`,
      `DELETE FROM ${table}`,
      `INSERT OR REPLACE INTO ${table} (${columns}) SELECT ${columns} FROM ${table} LIMIT 1`,
    ];
    for (const sql of tried) {
      // A latch that is set again is left out without a word: whoever is second has lost, and made no mistake.
      if (table === 'escalation_latches' && sql.startsWith('INSERT')) file.exec(sql);
      else expect(() => file.exec(sql)).toThrow('append-only');
    }
    expect(rowsOf(table)).toEqual(before);
  });

  test.each([
    ['a gap in an inbox', { id: 5, seq: 3 }, 'append-only'],
    ['a gap among all messages', { id: 6, seq: 2 }, 'append-only'],
    ['one in place of the one with its key', { id: 5, seq: 2, key: keyOf(1) }, 'append-only'],
    ['a payload over 8,192 bytes', { id: 5, seq: 2, payload: 'é'.repeat(4_097) }, 'CHECK'],
    ['an unknown kind', { id: 5, seq: 2, kind: 'shout' }, 'CHECK'],
    ['a key of another alphabet', { id: 5, seq: 2, key: 'U'.repeat(26) }, 'CHECK'],
  ])('a message: %s is refused', (_, row, why) => {
    expect(() => insertMessage(row)).toThrow(why);
  });

  test('a message that comes next is none of these', () => {
    file.exec('BEGIN');
    insertMessage({ id: 5, seq: 2, key: keyOf(2), payload: 'é'.repeat(4_096) });
    file.exec('ROLLBACK');
  });

  test.each([
    ['a gap in the ledger', "INSERT INTO team_audit_log VALUES (9, 't1', 'x', '{}', '')"],
    [
      'a persona in place of the one with its text',
      "INSERT OR REPLACE INTO persona_snapshots SELECT 4, sha256, '9', 'x', '' FROM persona_snapshots LIMIT 1",
    ],
  ])('%s is refused', (_, sql) => {
    expect(() => file.exec(sql)).toThrow('append-only');
  });

  test('a cursor only moves forward', () => {
    const move = (by: string) => file.exec(`UPDATE bridge_delivery SET last_seq = last_seq ${by}`);
    expect(() => move('- 1')).toThrow('only moves forward');
    file.exec('BEGIN');
    move('+ 1');
    file.exec('ROLLBACK');
  });

  test.each([
    ['no row of the ledger', 'x', 2, 99],
    ['what is no consent', 'x', 2, 2],
    ['consent to another proposal', 'x', 1, 3],
  ])('a persona with %s is refused', (_, id, proposal, consent) => {
    const insert = file.prepare("INSERT INTO roster_agents VALUES (?, 'x', 't1', ?, ?, 'kim', '')");
    expect(() => insert.run(id, proposal, consent)).toThrow('needs a recorded consent');
    file.exec('BEGIN');
    insert.run(id, 2, 3);
    file.exec('ROLLBACK');
  });
});
