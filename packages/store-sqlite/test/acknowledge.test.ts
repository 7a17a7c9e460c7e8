import { expect, test } from 'vitest';
import { abandoned, charge, events, failed, raised, started } from './events.ts';
import { storeAt } from './store-file.ts';

async function storeWithEveryEnd() {
  const store = storeAt(':memory:');
  const ids = ['open', 'gone', 'held'];
  await store.journal.append(
    events(
      'run',
      1,
      started(ids.map((id) => ({ id, parallel_group: 1 }))),
      charge('gone', 1),
      failed('gone', 1),
      abandoned('gone', 1),
      raised('gone', 1, 'key'),
      { type: 'task.held', taskId: 'held', attempt: 1, status: 'blocked' },
    ),
  );
  return store;
}

test.each(['gone', 'held'])(
  'an acknowledgement stamps the task and nothing else: %s',
  async (id) => {
    const store = await storeWithEveryEnd();
    const read = async () => ({
      events: await store.journal.load('run'),
      runs: store.runs(),
      attempts: store.attempts('run'),
      escalations: store.escalations('run'),
      tasks: store.tasks('run'),
    });
    const before = await read();
    store.acknowledge('run', id);
    const after = await read();
    const stamp = after.tasks.find((task) => task.task_key === id)?.abandoned_ack_at;
    expect(new Date(stamp ?? '').toISOString()).toBe(stamp);
    expect(after).toEqual({
      ...before,
      tasks: before.tasks.map((task) =>
        task.task_key === id ? { ...task, abandoned_ack_at: stamp } : task,
      ),
    });
  },
);

test('the first acknowledgement stays', async () => {
  const store = await storeWithEveryEnd();
  store.acknowledge('run', 'gone');
  const first = store.tasks('run');
  store.acknowledge('run', 'gone');
  expect(store.tasks('run')).toEqual(first);
});

test.each([
  ['run', 'nobody', 'STORE_NO_SUCH_TASK'],
  ['other', 'gone', 'STORE_NO_SUCH_TASK'],
  ['run', 'open', 'STORE_NOT_ESCALATED'],
])('what can not be acknowledged is refused by name: %s/%s', async (run, task, code) => {
  const store = await storeWithEveryEnd();
  expect(() => store.acknowledge(run, task)).toThrow(expect.objectContaining({ code }));
});
