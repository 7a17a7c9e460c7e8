import { describe, expect, test } from 'vitest';
import { openStore, verifyStore } from '../src/index.ts';
import { abandoned, charge, events, raised, reply, started } from './events.ts';
import { storePath } from './store-file.ts';
import { tamper } from './tamper.ts';

/** A run that has a row in every table. */
async function everyTable(): Promise<string> {
  const path = storePath();
  const store = openStore({ path });
  const hash = 'c'.repeat(64);
  const evidence = {
    files: [{ path: 'x.ts', status: 'added', insertions: 3, deletions: 0 }],
    products: [{ path: 'x.ts', sha256: hash, bytes: 9 }],
  };
  await store.journal.append(
    events(
      'one',
      1,
      started([
        { id: 'a', parallel_group: 1, writes: ['x.ts'] },
        { id: 'r', parallel_group: 1, reviews: 'a' },
        { id: 'b', parallel_group: 2, depends_on: ['a'] },
      ]),
      charge('a', 1),
      { ...{ type: 'attempt.checked', taskId: 'a', attempt: 1 }, stage: 'scope', evidence: 1 },
      {
        ...{ type: 'review.requested', taskId: 'a', attempt: 1, reply: reply('a', 1, 'done') },
        ...{ reviewers: ['r'], evidence },
      },
      abandoned('b', 0),
      raised('b', 0, 'k'),
      { type: 'escalation.delivered', key: 'k' },
    ),
  );
  store.acknowledge('one', 'b');
  store.close();
  return path;
}

describe('a row that does not follow from the events is named, whichever its table', () => {
  const sound = {
    ...{ runs: 1, events: 7, badRows: [], changedRows: [] },
    ...{ tip: 'holds', damage: [] },
  };
  const a = { taskKey: 'a', attempt: 1 };

  test('none where all of them do', async () => {
    expect(verifyStore({ path: await everyTable() })).toEqual(sound);
  });

  test.each([
    [
      "UPDATE runs SET verdict = 'complete'",
      { table: 'runs', why: 'its verdict is complete, by the events null' },
    ],
    [
      "UPDATE tasks SET status = 'running' WHERE task_key = 'a'",
      { table: 'tasks', taskKey: 'a', why: 'its status is running, by the events reviewing' },
    ],
    [
      "UPDATE tasks SET abandoned_ack_at = '2026-03-01T08:00:00.000Z' WHERE task_key = 'a'",
      {
        ...{ table: 'tasks', taskKey: 'a' },
        why: 'it is acknowledged, and no event abandons or holds it',
      },
    ],
    [
      "UPDATE tasks SET abandoned_ack_at = 'yes' WHERE task_key = 'b'",
      { table: 'tasks', taskKey: 'b', why: 'its abandoned_ack_at is yes, no time' },
    ],
    [
      "DELETE FROM edges WHERE task_key = 'b'",
      { table: 'edges', taskKey: 'b', name: 'a', why: 'it is missing' },
    ],
    [
      "UPDATE task_paths SET path = 'y.ts'",
      {
        ...{ table: 'task_paths', taskKey: 'a', name: 'writes 0' },
        why: 'its path is y.ts, by the events x.ts',
      },
    ],
    [
      "UPDATE attempts SET evidence_json = '{}'",
      { table: 'attempts', ...a, why: expect.stringMatching(/^its evidence_json is \{\}, by/) },
    ],
    [
      "UPDATE attempt_stages SET evidence_json = '2'",
      {
        ...{ table: 'attempt_stages', ...a, name: 'scope' },
        why: 'its evidence_json is 2, by the events 1',
      },
    ],
    [
      'UPDATE changes SET insertions = 0',
      { table: 'changes', ...a, name: '0', why: 'its insertions is 0, by the events 3' },
    ],
    [
      "UPDATE products SET sha256 = 'd'",
      {
        ...{ table: 'products', ...a, name: 'x.ts' },
        why: expect.stringMatching(/^its sha256 is d, by the events c+$/),
      },
    ],
    [
      'UPDATE escalations SET delivered_at = NULL',
      {
        ...{ table: 'escalations', taskKey: 'b', name: 'k' },
        why: expect.stringMatching(/^its delivered_at is null, by the events 2026-/),
      },
    ],
    [
      "INSERT INTO escalations VALUES ('one', 'k2', 8, 'b', '{}', '', NULL)",
      { table: 'escalations', taskKey: 'b', name: 'k2', why: 'no event tells of it' },
    ],
    [
      "INSERT INTO runs (run_id, policy_json, started_at) VALUES ('ghost', '{}', '')",
      { table: 'runs', runId: 'ghost', why: 'no event tells of it' },
    ],
  ])('%s', async (sql, row) => {
    const path = await everyTable();
    tamper(path, sql);
    const runs = sql.includes('ghost') ? 2 : 1;
    expect(verifyStore({ path })).toEqual({
      ...{ ...sound, runs },
      changedRows: [{ runId: 'one', ...row }],
    });
  });
});
