import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openStore, verifyStore } from '../src/index.ts';
import { applyMigrations } from '../src/migrate.ts';
import { MIGRATIONS } from '../src/migration.ts';
import { openDatabase } from '../src/open-database.ts';
import { charge, events, failed, started } from './events.ts';
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
