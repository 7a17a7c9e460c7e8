import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { charge, events, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

test.each([
  "UPDATE events SET payload_json = '{}'",
  'UPDATE events SET seq = seq + 10',
  'DELETE FROM events',
  'DELETE FROM events WHERE seq = 2',
  "INSERT OR REPLACE INTO events SELECT run_id, seq, type, at, '{}', hash FROM events WHERE seq = 2",
  "INSERT INTO events VALUES ('run', 4, 'wave.closed', '', '{}', 'x')",
  "INSERT INTO events VALUES ('run', 3, 'wave.closed', '', '{}', NULL)",
])('the event log only grows, one by one: %s', async (sql) => {
  const path = storePath();
  const store = storeAt(path);
  const batch = events('run', 1, started([{ id: 'a', parallel_group: 1 }]), charge('a', 1));
  await store.journal.append(batch);
  const other = new SqliteDatabase(path);
  onTestFinished(() => void other.close());
  expect(() => other.exec(sql)).toThrow('append-only');
  expect(await store.journal.load('run')).toEqual(batch);
});
