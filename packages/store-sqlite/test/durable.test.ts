import type { RunFact } from '@atelier/engine';
import { describe, expect, test } from 'vitest';
import { AT, charge, events, failed, reply, started } from './events.ts';
import { storeAt } from './store-file.ts';

const RUN = 'run';

async function storeAfter(...facts: readonly RunFact[]) {
  const store = storeAt(':memory:');
  await store.journal.append(events(RUN, 1, started([{ id: 'a', parallel_group: 1 }]), ...facts));
  return store;
}

const of = { taskId: 'a', attempt: 1 } as const;

const usage = { outputTokens: 7 };

const replied: RunFact = {
  ...{ type: 'attempt.replied', ...of },
  ...{ reply: reply('a', 1, 'done'), usage },
};

describe('an attempt', () => {
  test('keeps its content key', async () => {
    const store = await storeAfter({ ...charge('a', 1), contentKey: 'k \ud800' } as RunFact);
    expect(store.attempts(RUN)).toMatchObject([{ content_key: '"k \\ud800"' }]);
  });

  test('that was spawned has its time and what is told of its worker', async () => {
    const spawned: RunFact = { type: 'attempt.spawned', ...of, worker: { pid: 7 } };
    const store = await storeAfter(charge('a', 1), spawned);
    expect(store.attempts(RUN)).toMatchObject([
      { spawned_at: AT, worker_json: '{"pid":7}', replied_at: null, content_key: null },
    ]);
    const silent = await storeAfter(charge('a', 1), { type: 'attempt.spawned', ...of });
    expect(silent.attempts(RUN)).toMatchObject([{ spawned_at: AT, worker_json: null }]);
  });

  test('that has replied has its reply and no ending; its task is running', async () => {
    const store = await storeAfter(charge('a', 1), replied);
    const [attempt] = store.attempts(RUN);
    expect(attempt).toMatchObject({ replied_at: AT, ending: null, ended_at: null });
    expect(JSON.parse(attempt?.reply_json ?? '')).toEqual(reply('a', 1, 'done'));
    expect(store.tasks(RUN)).toMatchObject([{ status: 'running' }]);
  });

  test.each([
    { type: 'review.requested', ...of, reply: reply('a', 1, 'done'), reviewers: [] },
    { type: 'attempt.accepted', ...of, reply: reply('a', 1, 'done') },
    failed('a', 1),
  ] as RunFact[])('keeps the usage that came with the reply: $type', async (fact) => {
    const store = await storeAfter(charge('a', 1), replied, fact);
    expect(store.attempts(RUN)).toMatchObject([
      { replied_at: AT, usage_json: JSON.stringify(usage) },
    ]);
  });

  test.each([
    { type: 'attempt.spawned', taskId: 'a', attempt: 2 },
    { ...replied, attempt: 2 },
  ] as RunFact[])('that is not there is refused: $type', async (fact) => {
    const store = await storeAfter(charge('a', 1));
    await expect(async () => store.journal.append(events(RUN, 3, fact))).rejects.toMatchObject({
      code: 'STORE_NO_SUCH_ATTEMPT',
    });
  });
});

const replayed: RunFact = {
  ...{ type: 'task.replayed', taskId: 'a', from: { runId: 'before', attempt: 3 } },
  ...{ reply: reply('a', 3, 'done'), evidence: { commit: 'c' } },
};

test('a replayed task is complete, names its origin, and has no attempt', async () => {
  const store = await storeAfter(replayed);
  expect(store.tasks(RUN)).toMatchObject([
    {
      ...{ status: 'complete', closed_at: AT, attempts: 0 },
      ...{ replayed_run_id: 'before', replayed_attempt: 3 },
    },
  ]);
  expect(store.attempts(RUN)).toEqual([]);
});

test('a step of an integration is journalled and changes no table', async () => {
  const store = await storeAfter({ type: 'integration.checked', wave: 0, stage: 'gate' });
  expect(await store.journal.load(RUN)).toHaveLength(2);
  expect(store.tasks(RUN)).toMatchObject([{ status: 'pending' }]);
});
