import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import type { RunEvent } from '@atelier/engine';
import SqliteDatabase from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { applyMigrations } from '../src/migrate.ts';
import { MIGRATIONS, migrationChecksum } from '../src/migration.ts';
import { openDatabase } from '../src/open-database.ts';
import { type Answering, race, startAnswering, startChild } from './child.ts';
import { charge, events, failed, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

const onePlan = started([{ id: 'a', parallel_group: 1 }]);

function schemaOf(path: string): unknown[] {
  const database = new SqliteDatabase(path, { readonly: true });
  try {
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    return database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
  } finally {
    database.close();
  }
}

/** Every statement of every migration, the ledger's own among them. */
function statementsOfMigrations(): number {
  const database = openDatabase(':memory:', 0);
  let count = 0;
  applyMigrations(database, {
    onStatement() {
      count += 1;
    },
  });
  database.close();
  return count;
}

test('a shipped migration is never edited', () => {
  expect(MIGRATIONS.map((migration) => [migration.name, migrationChecksum(migration)])).toEqual([
    ['0001-core', '3be286cde56173118966d05dc560919f5ffc9e4930746134473596ef65ac4cb1'],
    ['0002-checked-work', 'b31dfee8de87af8e796d8717a62a9e913f7d71d5d6e75d5ed8d7729a88d645c8'],
    ['0003-durable', '8c9f4abcb82557cf0a7e381e326dfac9b6d6c5f032db487287459fadfad1e2aa'],
    ['0004-reviewing', '7b36770139c53e70d0415cf44b5e77f3b68e8f75b58c344bd8df8ca88b4ce482'],
    ['0005-team', 'a1369ea909ccd921bb9e781e0adcecb06af6b59d067a2447a1c405be98bc9ef7'],
  ]);
});

let undisturbed: unknown[] | undefined;

/** The schema of a file that nothing disturbed. */
function freshSchema(): unknown[] {
  if (!undisturbed) {
    const path = storePath();
    openStore({ path }).close();
    undisturbed = schemaOf(path);
  }
  return undisturbed;
}

let other: Answering;

beforeAll(() => {
  other = startAnswering('starts.mjs');
});

afterAll(async () => {
  expect(await other.end()).toEqual({ code: 0, errors: '' });
});

/** A start that is killed after a statement, while another process waits for its turn. */
async function killedAfter(statement: number, path: string): Promise<void> {
  const killed = startChild('killed-migration.mjs', path, String(statement));
  await killed.ready;
  const opened = other.ask(path);
  killed.go();
  const { signal, errors } = await killed.ended;
  expect({ signal, errors }).toEqual({ signal: 'SIGKILL', errors: '' });
  expect(await opened).toBe('done\n');
}

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

test.each(upTo(statementsOfMigrations()))(
  'O-37 two start, one is killed after statement %i: the other makes it good, and so does the next',
  async (last) => {
    const path = storePath();
    await killedAfter(last, path);
    const store = storeAt(path);
    await store.journal.append(events('run', 1, onePlan));
    expect(store.tasks('run')).toHaveLength(1);
    expect(store.tasks('other')).toHaveLength(1);
    expect(schemaOf(path)).toEqual(freshSchema());
  },
);

/** A file of the second version, with events of two runs. */
function secondVersion(): { readonly path: string; readonly history: readonly RunEvent[] } {
  const path = storePath();
  const database = openDatabase(path, 0);
  applyMigrations(database, {}, MIGRATIONS.slice(0, 2));
  const history = events('run', 1, onePlan, charge('a', 1), failed('a', 1));
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)');
  for (const event of [...history, ...events('b', 1, onePlan)])
    insert.run(event.runId, event.seq, event.type, event.at, JSON.stringify(event));
  database.close();
  return { path, history };
}

test.each(upTo((MIGRATIONS[2]?.sql.length ?? 0) + 2))(
  'O-37 events of the second version get their hashes, though a start is killed after statement %i',
  async (last) => {
    const { path, history } = secondVersion();
    const killed = startChild('killed-migration.mjs', path, String(last));
    killed.go();
    expect((await killed.ended).signal).toBe('SIGKILL');
    const store = storeAt(path);
    expect(await store.journal.load('run')).toEqual(history);
    expect(await store.journal.load('b')).toEqual(events('b', 1, onePlan));
    expect(schemaOf(path)).toEqual(freshSchema());
  },
);

test('the hashes of older events are those that appending them gives', () => {
  const hashesOf = (path: string) => {
    const database = new SqliteDatabase(path, { readonly: true });
    onTestFinished(() => void database.close());
    return database.prepare("SELECT hash FROM events WHERE run_id = 'run' ORDER BY seq").all();
  };
  const { path, history } = secondVersion();
  storeAt(path);
  const other = storePath();
  storeAt(other).journal.append(history);
  expect(hashesOf(path)).toEqual(hashesOf(other));
  expect(hashesOf(path)).toHaveLength(3);
});

test.each([1, 2, 3, 4, 5])('O-37 four processes start on one fresh file, round %i', async () => {
  const path = storePath();
  const runs = ['one', 'two', 'three', 'four'];
  const ended = await race(runs.map((run) => startChild('start.mjs', path, run)));
  expect(ended.map(({ code, errors }) => ({ code, errors }))).toEqual(
    runs.map(() => ({ code: 0, errors: '' })),
  );
  const store = storeAt(path);
  expect(
    store
      .runs()
      .map(({ run_id }) => run_id)
      .sort(),
  ).toEqual([...runs].sort());
});

test('O-37 a start waits for another that is changing the mode of a fresh file', async () => {
  const path = storePath();
  const holder = startChild('hold.mjs', path);
  await holder.ready;
  holder.go();
  const store = storeAt(path);
  await store.journal.append(events('run', 1, onePlan));
  expect(await holder.ended).toMatchObject({ code: 0, errors: '' });
});

test('schema and ledger change together: a statement that fails leaves neither', () => {
  const database = openDatabase(storePath(), 0);
  const broken = { name: '0001-broken', sql: ['CREATE TABLE made (x)', 'CREATE TABLE made (x)'] };
  expect(() => applyMigrations(database, {}, [broken])).toThrow('made');
  expect(database.prepare('SELECT name FROM sqlite_schema').all()).toEqual([]);
  database.close();
});

test('a later migration is applied to a file of the version before', () => {
  const database = openDatabase(storePath(), 0);
  applyMigrations(database);
  const later = { name: '9999-later', sql: ['CREATE TABLE later (x)'] };
  applyMigrations(database, {}, [...MIGRATIONS, later]);
  const names = database.prepare('SELECT name FROM migrations ORDER BY name').pluck().all();
  expect(names).toEqual([...MIGRATIONS.map(({ name }) => name), '9999-later']);
  database.close();
});

test('a run of the first version goes on: what it has stays, what it could not know is empty', async () => {
  const path = storePath();
  const first = openDatabase(path, 0);
  applyMigrations(first, {}, MIGRATIONS.slice(0, 1));
  const history = events('run', 1, onePlan, charge('a', 1));
  for (const event of history)
    first
      .prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?)')
      .run(event.runId, event.seq, event.type, event.at, JSON.stringify(event));
  first.exec(`INSERT INTO runs (run_id, policy_json, started_at) VALUES ('run', '{}', '');
    INSERT INTO tasks (run_id, task_key, id, position, created_at, status, attempts)
      VALUES ('run', 'a', 'a', 0, '~', 'running', 1);
    INSERT INTO attempts (run_id, task_key, attempt, nonce, started_at)
      VALUES ('run', 'a', 1, 'n', '')`);
  first.close();

  const store = storeAt(path);
  expect(await store.journal.load('run')).toEqual(history);
  expect(store.attempts('run')).toMatchObject([
    { nonce: 'n', findings: null, reviews_key: null, reviews_attempt: null },
  ]);
  expect(store.changesOf('run', 'a')).toEqual([]);
  await store.journal.append(
    events('run', 3, { type: 'attempt.checked', taskId: 'a', attempt: 1, stage: 'verify' }),
  );
  expect(store.stagesOf('run', 'a')).toMatchObject([{ stage: 'verify' }]);
});

test('work under review is told as such in a file of the third version, and nothing else changes', () => {
  const path = storePath();
  const third = openDatabase(path, 0);
  applyMigrations(third, {}, MIGRATIONS.slice(0, 3));
  third.exec("INSERT INTO runs (run_id, policy_json, started_at) VALUES ('run', '{}', '')");
  const task = third.prepare(
    `INSERT INTO tasks (run_id, task_key, id, position, title, created_at, status, attempts)
       VALUES ('run', ?, ?, ?, 'kept', '~', ?, ?)`,
  );
  const event = third.prepare(
    "INSERT INTO events VALUES ('run', ?, 'review.requested', '', ?, '')",
  );
  const rows = [
    [7, 'running', 2],
    ['worked on again', 'running', 2],
    ['approved', 'accepted', 1],
    ['new', 'pending', 0],
  ] as const;
  for (const [position, [id, status, attempts]] of rows.entries())
    task.run(`${id}`, id, position, status, attempts);
  const asked = [
    { taskId: 7, attempt: 2 },
    { taskId: 'worked on again', attempt: 1 },
    { taskId: 'approved', attempt: 1 },
  ].map((one) => JSON.stringify(one));
  for (const [index, text] of [...asked, 'spoiled'].entries()) event.run(index + 1, text);
  third.close();
  const found = storeAt(path).tasks('run');
  expect(found.map(({ title, status }) => `${title} ${status}`).sort()).toEqual([
    ...['kept accepted', 'kept pending', 'kept reviewing', 'kept running'],
  ]);
  expect(found.find(({ id }) => id === 7)?.status).toBe('reviewing');
});

describe('a file of another version is refused and stays as it is', () => {
  const tampers = [
    ['STORE_NEWER', "INSERT INTO migrations VALUES ('9999-future', 'x', 'x')"],
    ['STORE_MIGRATION_CHANGED', "UPDATE migrations SET checksum = 'x'"],
  ] as const;

  test.each(tampers)('%s', async (code, sql) => {
    const path = storePath();
    const store = openStore({ path });
    await store.journal.append(events('run', 1, onePlan));
    store.close();
    const other = new SqliteDatabase(path);
    other.exec(sql);
    other.close();

    const before = readFileSync(path);
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ code }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test.each(tampers)('%s, with a log that a crash left behind', async (code, sql) => {
    const path = storePath();
    const store = storeAt(path);
    await store.journal.append(events('run', 1, onePlan));
    const other = new SqliteDatabase(path);
    other.exec(sql);
    const crashed = storePath();
    for (const part of ['', '-wal']) copyFileSync(path + part, crashed + part);
    other.close();

    const before = ['', '-wal'].map((part) => readFileSync(crashed + part));
    expect(() => openStore({ path: crashed })).toThrow(expect.objectContaining({ code }));
    expect(existsSync(`${crashed}-wal`)).toBe(true);
    const after = ['', '-wal'].map((part) => readFileSync(crashed + part));
    expect(after.map((bytes, index) => before[index]?.equals(bytes))).toEqual([true, true]);
  });

  test('in a rollback-journal mode, which an ordinary start would change', () => {
    const path = storePath();
    openStore({ path }).close();
    const other = new SqliteDatabase(path);
    other.pragma('journal_mode = DELETE');
    other.exec("INSERT INTO migrations VALUES ('9999-future', 'x', 'x')");
    other.close();

    const before = readFileSync(path);
    expect(() => openStore({ path })).toThrow(expect.objectContaining({ code: 'STORE_NEWER' }));
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
