import type { RunFact, TaskId } from '@atelier/engine';
import { expect, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { charge, events, failed, reply, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';
import { tamper } from './tamper.ts';

const PLAN = started([
  { id: 'a', parallel_group: 1 },
  { id: 'r', parallel_group: 1, reviews: 'a' },
]);

const keyed = (taskId: TaskId, attempt: number, contentKey: string): RunFact =>
  ({ ...charge(taskId, attempt), contentKey }) as RunFact;

const review = (attempt: number, of: number): RunFact =>
  ({ ...charge('r', attempt), reviews: { taskId: 'a', attempt: of } }) as RunFact;

const accepted = (taskId: TaskId, attempt: number, evidence?: object): RunFact =>
  ({
    ...{ type: 'attempt.accepted', taskId, attempt, reply: reply(taskId, attempt, 'done') },
    ...(evidence ? { evidence } : {}),
  }) as RunFact;

const completed = (taskId: TaskId, attempt: number, evidence?: object): RunFact =>
  ({
    ...{ type: 'task.completed', taskId, attempt },
    ...(evidence ? { evidence } : {}),
  }) as RunFact;

const MERGED = [PLAN, keyed('a', 1, 'k'), accepted('a', 1), completed('a', 1)];

async function storeWith(facts: Readonly<Record<string, readonly RunFact[]>>) {
  const path = storePath();
  const store = openStore({ path });
  for (const [run, list] of Object.entries(facts))
    await store.journal.append(events(run, 1, ...list));
  store.close();
  return { path, store: storeAt(path) };
}

test('merged attempts of a content key come newest first, with reply and all evidence', async () => {
  const { store } = await storeWith({
    one: [
      PLAN,
      keyed('a', 1, 'k'),
      accepted('a', 1, { files: [] }),
      completed('a', 1, { merge: 'm' }),
    ],
    zzz: [PLAN, keyed('a', 1, 'other'), accepted('a', 1), completed('a', 1)],
    two: [
      PLAN,
      charge('a', 1),
      failed('a', 1),
      keyed('a', 2, 'k'),
      accepted('a', 2),
      completed('a', 2),
    ],
  });
  expect(store.merged('k')).toEqual([
    { runId: 'two', taskId: 'a', attempt: 2, reply: reply('a', 2, 'done'), approvals: [] },
    {
      ...{ runId: 'one', taskId: 'a', attempt: 1, reply: reply('a', 1, 'done') },
      ...{ evidence: { files: [], merge: 'm' }, approvals: [] },
    },
  ]);
  expect(store.merged('nothing')).toEqual([]);
});

test('only the approvals of that very attempt are told', async () => {
  const { store } = await storeWith({
    run: [
      ...[PLAN, keyed('a', 1, 'k1'), requested(1), review(1, 1), accepted('r', 1)],
      ...[accepted('a', 1), failed('a', 1), keyed('a', 2, 'k'), requested(2), review(2, 2)],
      ...[failed('r', 2), review(3, 2), accepted('r', 3), accepted('a', 2)],
      ...[completed('a', 2), completed('r', 3)],
    ],
  });
  expect(store.merged('k')).toMatchObject([
    { attempt: 2, approvals: [{ taskId: 'r', attempt: 3, reply: reply('r', 3, 'done') }] },
  ]);
  expect(store.merged('k1')).toEqual([]);
});

function requested(attempt: number): RunFact {
  const it = { type: 'review.requested', taskId: 'a', attempt, reviewers: ['r'] };
  return { ...it, reply: reply('a', attempt, 'done') } as RunFact;
}

test.each([
  ['in flight', [keyed('a', 1, 'k')]],
  ['accepted and not merged', [keyed('a', 1, 'k'), accepted('a', 1)]],
  ['failed', [keyed('a', 1, 'k'), failed('a', 1)]],
  ['accepted, then in conflict', [keyed('a', 1, 'k'), accepted('a', 1), failed('a', 1)]],
  [
    'completed without a done',
    [
      keyed('a', 1, 'k'),
      { ...accepted('a', 1), reply: reply('a', 1, 'blocked') } as RunFact,
      completed('a', 1),
    ],
  ],
  [
    'replayed itself',
    [
      {
        ...{ type: 'task.replayed', taskId: 'a', from: { runId: 'x', attempt: 1 } },
        ...{ reply: reply('a', 1, 'done') },
      } as RunFact,
    ],
  ],
])('an attempt that is %s is none', async (_, facts) => {
  const { store } = await storeWith({ run: [PLAN, ...facts] });
  expect(store.merged('k')).toEqual([]);
});

test.each([
  ["UPDATE events SET payload_json = replace(payload_json, 'a.txt', 'b.txt') WHERE run_id = 'run'"],
  ["UPDATE events SET hash = 'x' WHERE run_id = 'run' AND seq = 1"],
  ["DELETE FROM events WHERE run_id = 'run' AND seq = 4"],
])('a run that was changed gives none, another does: %s', async (sql) => {
  const { path, store } = await storeWith({ run: MERGED, last: MERGED });
  expect(store.merged('k').map(({ runId }) => runId)).toEqual(['last', 'run']);
  tamper(path, sql);
  expect(store.merged('k').map(({ runId }) => runId)).toEqual(['last']);
  expect(
    storeAt(path)
      .merged('k')
      .map(({ runId }) => runId),
  ).toEqual(['last']);
});

test('the tables say only where to look: a row that was changed makes no other work', async () => {
  const { path } = await storeWith({ run: MERGED });
  tamper(path, "UPDATE attempts SET content_key = 'wanted', reply_json = '{}'");
  const store = storeAt(path);
  expect(store.merged('wanted')).toEqual([]);
  tamper(path, "UPDATE attempts SET content_key = 'k'");
  expect(store.merged('k')).toMatchObject([{ reply: reply('a', 1, 'done') }]);
});

test('what is merged later is found, by this instance and by another', async () => {
  const { path, store } = await storeWith({ run: MERGED.slice(0, 3) });
  const other = storeAt(path);
  expect(store.merged('k')).toEqual([]);
  await store.journal.append(events('run', 4, completed('a', 1)));
  expect(store.merged('k')).toHaveLength(1);
  expect(other.merged('k')).toHaveLength(1);
  await other.journal.append(events('again', 1, ...MERGED));
  expect(store.merged('k')).toHaveLength(2);
  await store.journal.append(events('more', 1, ...MERGED.slice(0, 2)));
  await store.journal.append(events('more', 3, ...MERGED.slice(2)));
  expect(store.merged('k').map(({ runId }) => runId)).toEqual(['more', 'again', 'run']);
});

test('work that was charged under another plan than it was judged by is found under no key', async () => {
  const plan: RunFact = { type: 'plan.taken', tasks: [{ id: 'a', parallel_group: 1 }] };
  const { store } = await storeWith({
    changed: [PLAN, keyed('a', 1, 'k'), plan, accepted('a', 1), completed('a', 1)],
    before: [PLAN, keyed('a', 1, 'j'), accepted('a', 1), completed('a', 1), plan],
  });
  expect(store.merged('k')).toEqual([]);
  expect(store.merged('j')).toHaveLength(1);
});
