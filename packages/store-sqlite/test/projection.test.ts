import type { RunFact, Task } from '@atelier/engine';
import SqliteDatabase from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { AT, abandoned, charge, events, failed, policy, raised, reply, started } from './events.ts';
import { storeAt, storePath } from './store-file.ts';

const RUN = 'run';

async function storeAfter(tasks: readonly Task[], ...facts: readonly RunFact[]) {
  const path = storePath();
  const store = storeAt(path);
  await store.journal.append(events(RUN, 1, started(tasks), ...facts));
  const database = new SqliteDatabase(path, { readonly: true });
  onTestFinished(() => void database.close());
  return { store, database };
}

const one: Task = { id: 'a', parallel_group: 1 };

describe('the plan', () => {
  test('fills runs, tasks, edges and paths', async () => {
    const { store, database } = await storeAfter([
      { id: 1, parallel_group: 1, title: 'first', writes: ['x.ts', 'y.ts'], assigned_to: 'ann' },
      {
        id: 'b',
        parallel_group: 2,
        created_at: '2026-01-01T10:00+02:00',
        assigned_persona: 'bob',
        depends_on: [1],
        reads: ['x.ts'],
        must_produce: ['z.ts'],
        attempts: 2,
      },
      { id: 'r', parallel_group: 3, reviews: 'b', reads: ['y.ts'] },
    ]);
    expect(store.runs()).toEqual([
      {
        run_id: RUN,
        policy_json: JSON.stringify(policy),
        started_at: AT,
        resumed_at: null,
        finished_at: null,
        verdict: null,
        cause: null,
        detail: null,
        resume_at: null,
      },
    ]);
    expect(store.tasks(RUN)).toMatchObject([
      { id: 1, task_key: '1', position: 0, title: 'first', created_at: '~', status: 'pending' },
      { id: 'b', position: 1, created_at: '2026-01-01T08:00:00.000000000Z', attempts: 2 },
      { id: 'r', position: 2, parallel_group: 3, title: null, attempts: 0 },
    ]);
    expect(store.tasks(RUN).map((task) => task.assigned_persona)).toEqual(['ann', 'bob', null]);
    const edges = database.prepare('SELECT task_key, upstream_key, kind FROM edges').raw().all();
    expect(edges).toEqual([
      ['b', '1', 'explicit'],
      ['r', '1', 'reads'],
      ['r', 'b', 'review'],
    ]);
    const paths = database.prepare('SELECT task_key, kind, path FROM task_paths').raw().all();
    expect(paths).toEqual([
      ['1', 'writes', 'x.ts'],
      ['1', 'writes', 'y.ts'],
      ['b', 'must_produce', 'z.ts'],
      ['b', 'reads', 'x.ts'],
      ['r', 'reads', 'y.ts'],
    ]);
  });

  test('keeps closed rows with whatever they carry', async () => {
    const closed = [
      { id: 'x', status: 'abandoned', abandon_category: 'scope', parallel_group: 1.5 },
      { id: 'y', status: 'abandoned', abandon_category: 'boredom', parallel_group: null },
      { id: 'z', status: 'complete', created_at: 'yesterday', attempts: 3 },
    ];
    const { store } = await storeAfter(closed);
    const rows = store.tasks(RUN).map((row) => [row.status, row.abandon_category, row.attempts]);
    expect(rows).toEqual([
      ['abandoned', 'scope', 0],
      ['abandoned', null, 0],
      ['complete', null, 3],
    ]);
  });

  test('tells ids apart that UTF-8 would merge', async () => {
    const ids = ['\ud800', '\udfff', '\ufffd'];
    const { store } = await storeAfter(ids.map((id) => ({ id, parallel_group: 1 })));
    expect(new Set(store.tasks(RUN).map((task) => task.task_key)).size).toBe(3);
    await store.journal.append(events(RUN, 2, charge('\udfff', 1)));
    expect(store.attempts(RUN, '\udfff')).toHaveLength(1);
    expect(store.attempts(RUN, '\ud800')).toHaveLength(0);
  });

  test('of a hundred thousand tasks is one batch', async () => {
    const store = storeAt(storePath());
    const tasks = Array.from({ length: 100_000 }, (_, index) => ({
      id: index,
      parallel_group: 1 + (index % 50),
      depends_on: index < 50 ? [] : [index % 50],
      writes: [`src/${index}.ts`],
    }));
    await store.journal.append(events(RUN, 1, started(tasks)));
    expect(store.tasks(RUN)).toHaveLength(100_000);
  });
});

describe('an attempt', () => {
  test('is charged with its stamp and its row', async () => {
    const { store } = await storeAfter([one], charge('a', 1));
    expect(store.tasks(RUN)).toMatchObject([
      { status: 'running', attempts: 1, last_attempt_at: AT },
    ]);
    expect(store.attempts(RUN, 'a')).toMatchObject([
      { attempt: 1, nonce: 'nonce-a-1', started_at: AT, ended_at: null, ending: null },
    ]);
  });

  const closures = [
    [
      { kind: 'failed', cause: 'exit', detail: 'code 3 \ud800', exitCode: 3 },
      { ending: 'failed', cause: 'exit', detail: 'code 3 \ufffd', reply_json: null },
    ],
    [
      { kind: 'rejected', field: 'status', detail: 'unknown' },
      { ending: 'rejected', cause: 'status', detail: 'unknown', reply_json: null },
    ],
    [
      { kind: 'held', status: 'blocked', reply: reply('a', 1, 'blocked') },
      { ending: 'held', cause: 'blocked', detail: null },
    ],
    [
      { kind: 'abandoned', category: 'scope', reason: 'no', reply: reply('a', 1, 'abandoned') },
      { ending: 'abandoned', cause: 'scope', detail: 'no' },
    ],
    [
      { kind: 'done', reply: reply('a', 1, 'done') },
      { ending: 'done', cause: null },
    ],
  ] as const;

  test.each(closures)(
    'that ends $kind is closed and leaves its task pending',
    async (closure, row) => {
      const usage = { inputTokens: 5 };
      const close = { type: 'attempt.closed', taskId: 'a', attempt: 1, closure, usage } as const;
      const { store } = await storeAfter([one], charge('a', 1), close);
      const [attempt] = store.attempts(RUN);
      expect(attempt).toMatchObject({ ...row, ended_at: AT, usage_json: '{"inputTokens":5}' });
      if ('reply' in closure) expect(JSON.parse(attempt?.reply_json ?? '')).toEqual(closure.reply);
      expect(store.tasks(RUN)).toMatchObject([{ status: 'pending', attempts: 1 }]);
    },
  );

  const accepted = {
    type: 'attempt.accepted',
    taskId: 'a',
    attempt: 1,
    reply: reply('a', 1, 'done'),
    evidence: 'guard',
  } as const;

  test('that is accepted holds its task; completion closes both', async () => {
    const { store } = await storeAfter([one], charge('a', 1), accepted);
    expect(store.tasks(RUN)).toMatchObject([{ status: 'accepted', closed_at: null }]);
    expect(store.attempts(RUN)).toMatchObject([{ ending: 'accepted', evidence_json: '"guard"' }]);
    const completed = { type: 'task.completed', taskId: 'a', attempt: 1 } as const;
    await store.journal.append(events(RUN, 4, completed));
    expect(store.tasks(RUN)).toMatchObject([{ status: 'complete', closed_at: AT }]);
    expect(store.attempts(RUN)).toMatchObject([{ ending: 'done', evidence_json: '"guard"' }]);
  });

  test('that was accepted and does not merge keeps its reply', async () => {
    const { store } = await storeAfter([one], charge('a', 1), accepted, failed('a', 1));
    const [attempt] = store.attempts(RUN);
    expect(attempt?.ending).toBe('failed');
    expect(JSON.parse(attempt?.reply_json ?? '')).toEqual(accepted.reply);
    expect(store.tasks(RUN)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('a task that is lost', () => {
  test('is abandoned with its category, upstream and escalation', async () => {
    const cascade = {
      type: 'task.abandoned',
      taskId: 'b',
      attempt: 0,
      by: 'engine',
      category: 'blocked',
      lastStatus: 'cascade',
      upstreamId: 7,
    } as const;
    const tasks = [{ id: 'b', parallel_group: 1 }];
    const { store } = await storeAfter(tasks, cascade, raised('b', 0, 'k1'));
    expect(store.tasks(RUN)).toMatchObject([
      { status: 'abandoned', abandon_category: 'blocked', upstream_key: '7', closed_at: AT },
    ]);
    expect(store.escalations(RUN)).toMatchObject([
      { key: 'k1', seq: 3, task_key: 'b', raised_at: AT, delivered_at: null },
    ]);
  });

  test('is owed its escalation until it is delivered, the first time counting', async () => {
    const { store } = await storeAfter([one], charge('a', 1), failed('a', 1), abandoned('a', 1));
    await store.journal.append(events(RUN, 5, raised('a', 1, 'k')));
    const [first, second] = events(
      RUN,
      6,
      { type: 'escalation.delivered', key: 'k' },
      { type: 'escalation.delivered', key: 'k' },
    ).map((event, index) => ({ ...event, at: `2026-03-01T0${index}:00:00.000Z` }));
    for (const event of [first, second]) if (event) await store.journal.append([event]);
    expect(store.escalations(RUN).map((row) => row.delivered_at)).toEqual([first?.at]);
  });
});

test('a run shows why it paused, and forgets it when it is resumed', async () => {
  const { store } = await storeAfter(
    [one],
    { type: 'run.parked', cause: 'usage-limit', detail: 'until noon', resumeAt: 1.5e12 },
    { type: 'run.finished', verdict: 'parked' },
  );
  expect(store.runs()).toMatchObject([
    { verdict: 'parked', cause: 'usage-limit', detail: 'until noon', resume_at: 1.5e12 },
  ]);
  const lower = { ...policy, maxWorkers: 1 };
  await store.journal.append(events(RUN, 4, { type: 'run.resumed', policy: lower }));
  expect(store.runs()).toMatchObject([
    { verdict: null, cause: null, detail: null, resume_at: null, finished_at: null },
  ]);
  expect(JSON.parse(store.runs()[0]?.policy_json ?? '')).toEqual(lower);
  await store.journal.append(events(RUN, 5, { type: 'run.interrupted', reason: 'SIGINT' }));
  expect(store.runs()).toMatchObject([{ verdict: 'interrupted', detail: 'SIGINT' }]);
  await store.journal.append(events(RUN, 6, { type: 'run.finished', verdict: 'complete' }));
  expect(store.runs()).toMatchObject([{ verdict: 'complete', finished_at: AT }]);
});
