import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunFact } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { settleEscalations } from './settle-escalations.ts';

const lost = (runId: string): readonly RunFact[] => [
  {
    ...{ type: 'run.started', tasks: [{ id: 'a', parallel_group: 1 }] },
    policy: {
      ...{ maxWorkers: 1, maxAttempts: 1, wallClockMs: 60_000, onHeld: 'retry', raiseCaps: false },
    },
  },
  { type: 'attempt.started', taskId: 'a', attempt: 1, nonce: 'n' },
  {
    ...{ type: 'attempt.closed', taskId: 'a', attempt: 1 },
    closure: { kind: 'failed', cause: 'timeout', detail: 'no reply' },
  },
  {
    ...{ type: 'task.abandoned', taskId: 'a', attempt: 1, by: 'engine', category: 'capacity' },
    ...{ lastStatus: 'timeout', upstreamId: null },
  },
  {
    ...{ type: 'escalation.raised', key: `${runId}/a/1` },
    escalation: {
      ...{ kind: 'escalation', task_id: 'a', worker: null, attempt: 1, category: 'capacity' },
      ...{ last_status: 'timeout', upstream_task_id: null },
    },
  },
];

/** A store with runs that owe, and a way to change its file behind its back. */
async function owing(...runs: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-owed-'));
  const path = join(folder, 'atelier.db');
  const store = openStore({ path });
  onTestFinished(() => {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const runId of runs) {
    const facts = lost(runId).map((fact, index) => ({ ...fact, runId, seq: index + 1, at: 'now' }));
    await store.journal.append(facts);
  }
  const Database = createRequire(createRequire(import.meta.url).resolve('@atelier/store-sqlite'))(
    'better-sqlite3',
  );
  const tamper = (sql: string) => {
    const database = new Database(path);
    database.exec(sql);
    database.close();
  };
  return { store, tamper };
}

test('what is owed is told by the events: a row that says it was delivered keeps nothing back', async () => {
  const { store, tamper } = await owing('one', 'two', 'own');
  tamper("UPDATE escalations SET delivered_at = 'x' WHERE run_id = 'one'");
  const told: string[] = [];
  const settle = () =>
    settleEscalations({
      ...{ store, except: 'own', warn: expect.unreachable },
      // Those of a run are for the sink of its own team.
      sinkOf: (runId) => (_, key) => told.push(`${runId}: ${key}`),
    });
  await settle();
  expect(told).toEqual(['one: one/a/1', 'two: two/a/1']);
  await settle();
  expect(told).toHaveLength(2);
  expect(store.owed()).toEqual(['own']);
});

test('a run whose record can not be read is named, and the others are told', async () => {
  const { store, tamper } = await owing('one', 'two');
  tamper(
    "DROP TRIGGER events_are_never_changed; UPDATE events SET at = 'x' WHERE run_id = 'one' AND seq = 2",
  );
  const [told, warned]: [string[], string[]] = [[], []];
  await settleEscalations({
    ...{ store, except: 'own', warn: (message) => warned.push(message) },
    sinkOf: () => (_, key) => told.push(key),
  });
  expect(told).toEqual(['two/a/1']);
  expect(warned).toEqual([expect.stringContaining('run one were not told')]);
});
