import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openStore, verifyStore } from '../src/index.ts';
import { applyMigrations } from '../src/migrate.ts';
import { MIGRATIONS } from '../src/migration.ts';
import { openDatabase } from '../src/open-database.ts';
import { abandoned, charge, events, failed, raised, reply, started } from './events.ts';
import { spoilPages } from './spoil-pages.ts';
import { storeAt, storePath } from './store-file.ts';
import { tamper } from './tamper.ts';

const plan = started([
  { id: 'a', parallel_group: 1 },
  { id: 7, parallel_group: 1 },
]);

const story = (run: string) =>
  events(run, 1, plan, charge('a', 1), failed('a', 1), charge('a', 2), charge(7, 1));

async function twoRuns(): Promise<string> {
  const path = storePath();
  const store = openStore({ path });
  for (const run of ['one', 'two']) await store.journal.append(story(run));
  store.close();
  return path;
}

const SOUND = { runs: 2, events: 10, badRows: [], changedRows: [], tip: 'holds', damage: [] };

test('a sound store is told so, and not a byte of it changes', async () => {
  const path = await twoRuns();
  const before = readFileSync(path);
  expect(verifyStore({ path })).toEqual(SOUND);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test('a store in use is looked at as it is: acknowledgements and open batches do not matter', async () => {
  const path = await twoRuns();
  const store = storeAt(path);
  const end = events('one', 6, {
    type: 'task.held',
    taskId: 'a',
    attempt: 2,
    status: 'blocked',
  });
  await store.journal.append(end);
  store.acknowledge('one', 'a');
  expect(verifyStore({ path })).toEqual({ ...SOUND, events: 11 });
});

test('the first bad row of each run is named', async () => {
  const path = await twoRuns();
  tamper(
    path,
    "UPDATE events SET at = 'x' WHERE seq >= 3; DELETE FROM events WHERE seq = 2 AND run_id = 'two'",
  );
  expect(verifyStore({ path })).toEqual({
    ...SOUND,
    events: 3,
    badRows: [
      { runId: 'one', seq: 3, why: 'its column at differs from its text' },
      { runId: 'two', seq: 3, why: 'event 2 is missing before it' },
    ],
  });
});

describe('a row that was changed by hand is named', () => {
  const a = { runId: 'one', taskKey: 'a' };
  test.each([
    [
      "UPDATE tasks SET status = 'complete' WHERE run_id = 'one' AND task_key = 'a'",
      { ...a, table: 'tasks', why: 'its status is complete, by the events running' },
    ],
    [
      "UPDATE tasks SET attempts = 1 WHERE run_id = 'one' AND task_key = 'a'",
      { ...a, table: 'tasks', why: 'its attempts is 1, by the events 2' },
    ],
    [
      "UPDATE attempts SET ending = 'done' WHERE run_id = 'one' AND task_key = 'a' AND attempt = 1",
      { ...a, table: 'attempts', attempt: 1, why: 'its ending is done, by the events failed' },
    ],
    [
      "DELETE FROM attempts WHERE run_id = 'one' AND task_key = 'a' AND attempt = 2",
      { ...a, table: 'attempts', attempt: 2, why: 'it is missing' },
    ],
    [
      "INSERT INTO attempts (run_id, task_key, attempt, nonce, started_at) VALUES ('one', 'a', 3, '', '')",
      { ...a, table: 'attempts', attempt: 3, why: 'no event tells of it' },
    ],
    [
      "UPDATE attempts SET content_key = 'k' WHERE run_id = 'one' AND task_key = '7'",
      {
        ...{ runId: 'one', taskKey: '7', table: 'attempts', attempt: 1 },
        why: 'its content_key is k, by the events null',
      },
    ],
  ])('%s', async (sql, row) => {
    const path = await twoRuns();
    tamper(path, sql);
    expect(verifyStore({ path })).toEqual({ ...SOUND, changedRows: [row] });
  });
});

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
  const sound = { ...SOUND, runs: 1, events: 7 };
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

test('events that make no run are told, though their chain holds', async () => {
  const path = await twoRuns();
  const donor = storePath();
  const store = openStore({ path: donor });
  await store.journal.append(story('one').slice(0, 1));
  store.close();
  tamper(
    donor,
    `INSERT INTO tasks (run_id, task_key, id, position, parallel_group, created_at, status, attempts)
       VALUES ('one', 'x', 'x', 9, 1, '~', 'pending', 0)`,
  );
  const again = openStore({ path: donor });
  await again.journal.append(events('one', 2, charge('x', 1)));
  again.close();
  expect(verifyStore({ path: donor }).badRows).toEqual([
    { runId: 'one', seq: 2, why: expect.stringContaining('run one has no task x') },
  ]);
  expect(verifyStore({ path })).toEqual(SOUND);
});

describe('damage is told, never thrown', () => {
  test('a cut log', async () => {
    const source = storePath();
    await storeAt(source).journal.append(story('one'));
    const path = storePath();
    for (const part of ['', '-wal', '.tip']) copyFileSync(source + part, path + part);
    truncateSync(`${path}-wal`, statSync(`${path}-wal`).size - 100);
    expect(verifyStore({ path })).toMatchObject({ tip: 'behind', runs: 0, damage: [] });
    truncateSync(`${path}-wal`, 32);
    expect(verifyStore({ path })).toMatchObject({ tip: 'behind', runs: 0, damage: [] });
  });

  test('a lost end, and no tip', async () => {
    const path = await twoRuns();
    tamper(path, "DELETE FROM events WHERE run_id = 'two' AND seq = 5");
    expect(verifyStore({ path })).toMatchObject({ tip: 'behind', events: 9, badRows: [] });
    rmSync(`${path}.tip`);
    expect(verifyStore({ path })).toMatchObject({ tip: 'none' });
  });

  test('no database', () => {
    const path = storePath();
    writeFileSync(path, 'not a database, but long enough to be looked at '.repeat(100));
    expect(verifyStore({ path })).toMatchObject({ runs: 0, damage: ['file is not a database'] });
  });

  test('pages that were overwritten, wherever they are', async () => {
    const source = storePath();
    const store = openStore({ path: source });
    const notes = 'x'.repeat(3_000);
    for (let seq = 1; seq <= 40; seq += 1)
      await store.journal.append(
        events('one', seq, seq === 1 ? plan : { type: 'run.interrupted', reason: notes }),
      );
    store.close();
    const pages = readFileSync(source).length / 4096;
    let damaged = 0;
    for (let page = 0; page < pages; page += 1) {
      const path = storePath();
      copyFileSync(source, path);
      spoilPages(path, [page]);
      const found = verifyStore({ path });
      if (found.damage.length + found.badRows.length + found.changedRows.length > 0) damaged += 1;
    }
    expect(damaged).toBeGreaterThan(pages / 2);
  });
});

test('a file of an older version has nothing to verify, one that is not there is refused', () => {
  const path = storePath();
  const database = openDatabase(path, 0);
  applyMigrations(database, {}, MIGRATIONS.slice(0, 2));
  database.close();
  expect(() => verifyStore({ path })).toThrow(expect.objectContaining({ code: 'STORE_OLDER' }));
  expect(() => verifyStore({ path: storePath() })).toThrow(
    expect.objectContaining({ code: 'STORE_CANNOT_OPEN' }),
  );
});
