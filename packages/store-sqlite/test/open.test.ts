import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { openDatabase } from '../src/open-database.ts';
import { events, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

const onePlan = started([{ id: 'a', parallel_group: 1 }]);

test('a commit survives a power cut: write-ahead log, full sync, foreign keys', () => {
  const database = openDatabase(storePath(), 1234);
  onTestFinished(() => void database.close());
  const pragma = (name: string) => database.pragma(name, { simple: true });
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('foreign_keys')).toBe(1);
  expect(pragma('busy_timeout')).toBe(1234);
});

test('what another process holds for too long is STORE_BUSY, and nothing is written', async () => {
  const path = storePath();
  const store = openStore({ path, busyTimeoutMs: 1 });
  onTestFinished(() => store.close());
  const other = new SqliteDatabase(path);
  onTestFinished(() => void other.close());
  other.exec('BEGIN IMMEDIATE');
  const batch = events('run', 1, onePlan);
  await expect(async () => store.journal.append(batch)).rejects.toMatchObject({
    code: 'STORE_BUSY',
    cause: { code: 'SQLITE_BUSY' },
  });
  other.exec('ROLLBACK');
  expect(await store.journal.load('run')).toEqual([]);
  await store.journal.append(batch);
  expect(await store.journal.load('run')).toEqual(batch);
});

test('a folder that is not there is STORE_CANNOT_OPEN', () => {
  const path = join(storePath(), 'missing', 'atelier.db');
  expect(() => openStore({ path })).toThrow(expect.objectContaining({ code: 'STORE_CANNOT_OPEN' }));
});

test('a store that was closed says so', () => {
  const store = storeAt(':memory:');
  store.close();
  store.close();
  for (const use of [
    () => store.runs(),
    () => store.journal.load('run'),
    () => store.journal.append(events('run', 1, onePlan)),
    () => store.merged('key'),
    () => store.acknowledge('run', 'a'),
  ])
    expect(use).toThrow(expect.objectContaining({ code: 'STORE_CLOSED' }));
});
