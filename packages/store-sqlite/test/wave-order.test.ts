import { partitionWaves, type Task } from '@atelier/engine';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { tasksOfRun } from '../src/read.ts';
import { events, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

// Forms of ISO 8601 that sort by letters in another order than by time.
const INSTANTS = [
  '2026-03-01',
  '2026-03-01T00:00:00Z',
  '2026-03-01 00:00:00.5',
  '2026-03-01T01:00:00+02:00',
  '2026-02-28T23:59:59.999999999Z',
  '2026-03-01T00:00:00,25Z',
  '2026-02-28T20:00-05',
  '9999-12-31T23:59:59Z',
  null,
];

const id = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer().map(String),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('a', 'B', '\u{ffff}', '\u{10000}', 'é', '0', '9'),
    minLength: 1,
  }),
);

const task = fc.record(
  {
    id,
    parallel_group: fc.integer({ min: 1, max: 3 }),
    created_at: fc.constantFrom(...INSTANTS),
    status: fc.constantFrom('pending', 'complete', 'abandoned', 'anything'),
  },
  { requiredKeys: ['id', 'parallel_group', 'status'] },
);

const plans = fc.uniqueArray(task, { selector: (row) => String(row.id), maxLength: 40 });

test('O-33 SQL order equals memory order', async () => {
  const store = storeAt(':memory:');
  let count = 0;
  await fc.assert(
    fc.asyncProperty(plans, async (tasks: readonly Task[]) => {
      const run = `run-${count++}`;
      await store.journal.append(events(run, 1, started(tasks)));
      const stored = store.tasks(run).filter((row) => row.status === 'pending');
      const planned = partitionWaves(tasks).flat();
      expect(stored.map((row) => row.id)).toEqual(planned.map((row) => row.id));
      expect(stored.map((row) => row.task_key)).toEqual(planned.map((row) => String(row.id)));
    }),
    { numRuns: 300 },
  );
});

test('the index serves that order without a sort', () => {
  const path = storePath();
  storeAt(path);
  const database = new SqliteDatabase(path, { readonly: true });
  onTestFinished(() => void database.close());
  const steps = database
    .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${tasksOfRun.sql}`)
    .all({ run_id: 'run' });
  expect(steps.map(({ detail }) => detail)).toEqual([
    'SEARCH tasks USING INDEX tasks_by_wave (run_id=?)',
  ]);
});
