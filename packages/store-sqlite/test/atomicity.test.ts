import { describe, expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import { abandoned, charge, events, failed, raised, reply, started } from './events.ts';
import { storeAt } from './store-file.ts';

const RUN = 'run';

async function storeWithOneAbandonment(): Promise<Store> {
  const store = storeAt(':memory:');
  await store.journal.append(
    events(
      RUN,
      1,
      started([
        { id: 'a', parallel_group: 1 },
        { id: 'b', parallel_group: 1 },
      ]),
      charge('a', 1),
      failed('a', 1),
      abandoned('a', 1),
      raised('a', 1, 'key'),
      charge('b', 1),
    ),
  );
  return store;
}

const everything = async (store: Store) => ({
  events: await store.journal.load(RUN),
  runs: store.runs(),
  tasks: store.tasks(RUN),
  attempts: store.attempts(RUN),
  escalations: store.escalations(RUN),
  facts: ['a', 'b'].flatMap((key) => [
    store.stagesOf(RUN, key),
    store.changesOf(RUN, key),
    store.productsOf(RUN, key),
  ]),
});

describe('one transaction: what can not be written whole is not written at all', () => {
  test('an abandonment whose escalation can not be written is not recorded', async () => {
    const store = await storeWithOneAbandonment();
    const before = await everything(store);
    const batch = events(RUN, 7, failed('b', 1), abandoned('b', 1), raised('b', 1, 'key'));
    await expect(async () => store.journal.append(batch)).rejects.toMatchObject({
      code: 'STORE_CONSTRAINT',
      cause: { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' },
    });
    expect(await everything(store)).toEqual(before);
  });

  test('a second charge of one attempt is not recorded, nor stamped on its task', async () => {
    const store = await storeWithOneAbandonment();
    const before = await everything(store);
    await expect(async () => store.journal.append(events(RUN, 7, charge('b', 1)))).rejects.toThrow(
      expect.objectContaining({ code: 'STORE_CONSTRAINT' }),
    );
    expect(await everything(store)).toEqual(before);
  });

  test.each([
    ['STORE_NO_SUCH_TASK', charge('nobody', 1)],
    ['STORE_NO_SUCH_ATTEMPT', failed('b', 2)],
    [
      'STORE_NO_SUCH_ATTEMPT',
      {
        type: 'review.requested',
        taskId: 'b',
        attempt: 2,
        reply: reply('b', 2, 'done'),
        reviewers: ['r'],
      } as const,
    ],
    [
      'STORE_CONSTRAINT',
      { type: 'attempt.checked', taskId: 'b', attempt: 2, stage: 'verify' } as const,
    ],
    ['STORE_NO_SUCH_ESCALATION', { type: 'escalation.delivered', key: 'nothing' } as const],
    ['STORE_CONSTRAINT', raised('nobody', 1, 'new')],
    ['STORE_CONSTRAINT', { ...abandoned('b', 1), category: 'boredom' } as never],
    ['STORE_CONSTRAINT', started([])],
  ])('%s: the batch it ends is not recorded', async (code, fact) => {
    const store = await storeWithOneAbandonment();
    const before = await everything(store);
    const opened = { type: 'wave.opened', wave: 1, group: 2, size: 1 } as const;
    await expect(async () =>
      store.journal.append(events(RUN, 7, opened, fact)),
    ).rejects.toMatchObject({ code });
    expect(await everything(store)).toEqual(before);
  });

  test('a value that JSON can not hold is refused by name', async () => {
    const store = await storeWithOneAbandonment();
    const before = await everything(store);
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    for (const evidence of [{ n: 1n }, loop]) {
      const fact = {
        type: 'attempt.accepted',
        taskId: 'b',
        attempt: 1,
        reply: reply('b', 1, 'done'),
        evidence: evidence as never,
      } as const;
      await expect(async () => store.journal.append(events(RUN, 7, fact))).rejects.toMatchObject({
        code: 'STORE_NOT_JSON',
      });
    }
    expect(await everything(store)).toEqual(before);
  });
});
