import type { RunFact, Task } from '@atelier/engine';
import { describe, expect, test } from 'vitest';
import { AT, charge, events, failed, reply, started } from './events.ts';
import { storeAt } from './store-file.ts';

const RUN = 'run';

const TASKS: readonly Task[] = [
  { id: 'a', parallel_group: 1 },
  { id: 'r', parallel_group: 1, reviews: 'a' },
];

const HASH = 'c'.repeat(64);

const evidence = {
  base: 'b'.repeat(40),
  changed: 2,
  files: [
    { path: 'src/z.ts', status: 'added', insertions: 12, deletions: 0 },
    { path: 'src/a.ts', status: 'modified', insertions: 1, deletions: 3 },
  ],
  products: [{ path: 'src/z.ts', sha256: HASH, bytes: 99 }],
  mismatches: [{ path: 'src/z.ts', claimed: 'f00', found: HASH }],
} as const;

const end = { taskId: 'a', attempt: 1, reply: reply('a', 1, 'done') } as const;

const usage = { outputTokens: 7 };

const requested: RunFact = {
  ...{ type: 'review.requested', ...end },
  ...{ reviewers: ['r'], usage, evidence },
};

const accepted: RunFact = { type: 'attempt.accepted', ...end };

const review = (attempt: number, of: number): RunFact => ({
  ...charge('r', attempt),
  ...({ reviews: { taskId: 'a', attempt: of } } as object),
});

const approved: RunFact = {
  ...{ type: 'attempt.accepted', taskId: 'r', attempt: 1 },
  reply: reply('r', 1, 'done'),
};

const checked = (stage: string): RunFact => ({
  ...{ type: 'attempt.checked', taskId: 'a', attempt: 1 },
  ...{ stage, evidence: { [stage]: true } },
});

async function storeAfter(...facts: readonly RunFact[]) {
  const store = storeAt(':memory:');
  await store.journal.append(events(RUN, 1, started(TASKS), ...facts));
  const append = async (...more: readonly RunFact[]) => {
    const seq = (await store.journal.load(RUN)).length + 1;
    await store.journal.append(events(RUN, seq, ...more));
  };
  const statuses = () => store.tasks(RUN).map(({ task_key, status }) => `${task_key}: ${status}`);
  return { store, append, statuses };
}

const CHANGES = [
  { attempt: 1, position: 0, path: 'src/z.ts', status: 'added', insertions: 12, deletions: 0 },
  { attempt: 1, position: 1, path: 'src/a.ts', status: 'modified', insertions: 1, deletions: 3 },
];

const PRODUCTS = [{ attempt: 1, path: 'src/z.ts', sha256: HASH, bytes: 99, claimed: 'f00' }];

test('the stages that an attempt has passed are kept in their order; told twice, the later counts', async () => {
  const again = { ...checked('changes'), evidence: 'again' } as RunFact;
  const { store } = await storeAfter(charge('a', 1), checked('verify'), checked('changes'), again);
  expect(store.stagesOf(RUN, 'a')).toEqual([
    {
      ...{ run_id: RUN, task_key: 'a', attempt: 1, stage: 'verify', passed_at: AT },
      evidence_json: '{"verify":true}',
    },
    {
      ...{ run_id: RUN, task_key: 'a', attempt: 1, stage: 'changes', passed_at: AT },
      evidence_json: '"again"',
    },
  ]);
  expect(store.stagesOf(RUN, 'r')).toEqual([]);
});

describe('work under review', () => {
  test('has its reply, usage and facts, and no ending; its task is reviewing', async () => {
    const { store, statuses } = await storeAfter(charge('a', 1), requested);
    expect(statuses()).toEqual(['a: reviewing', 'r: pending']);
    const [attempt] = store.attempts(RUN, 'a');
    expect(attempt).toMatchObject({ ending: null, ended_at: null });
    expect(attempt?.usage_json).toBe(JSON.stringify(usage));
    expect(JSON.parse(attempt?.reply_json ?? '')).toEqual(end.reply);
    expect(store.changesOf(RUN, 'a')).toMatchObject(CHANGES);
    expect(store.productsOf(RUN, 'a')).toMatchObject(PRODUCTS);
  });

  test('is looked at by an attempt that names it', async () => {
    const { store } = await storeAfter(charge('a', 1), requested, review(1, 1));
    expect(store.attempts(RUN, 'r')).toMatchObject([{ reviews_key: 'a', reviews_attempt: 1 }]);
    expect(store.attempts(RUN, 'a')).toMatchObject([{ reviews_key: null, reviews_attempt: null }]);
  });

  test('that is approved ends with what it had, and both close together', async () => {
    const { store, append, statuses } = await storeAfter(charge('a', 1), requested, review(1, 1));
    await append(approved, accepted);
    expect(statuses()).toEqual(['a: accepted', 'r: accepted']);
    expect(store.attempts(RUN, 'a')).toMatchObject([
      {
        ending: 'accepted',
        usage_json: JSON.stringify(usage),
        evidence_json: JSON.stringify(evidence),
      },
    ]);
    expect(store.changesOf(RUN, 'a')).toMatchObject(CHANGES);
    await append(
      { type: 'task.completed', taskId: 'a', attempt: 1 },
      { type: 'task.completed', taskId: 'r', attempt: 1 },
    );
    expect(statuses()).toEqual(['a: complete', 'r: complete']);
    expect(store.attempts(RUN).map(({ ending }) => ending)).toEqual(['done', 'done']);
  });

  test('that is turned down keeps its facts, and the findings', async () => {
    const held = {
      type: 'attempt.closed',
      taskId: 'r',
      attempt: 1,
      closure: { kind: 'held', status: 'blocked', reply: reply('r', 1, 'blocked') },
    } as const;
    const refused = {
      type: 'attempt.closed',
      taskId: 'a',
      attempt: 1,
      closure: {
        kind: 'failed',
        cause: 'review',
        detail: 'its reviewer r replied blocked',
        findings: 'line 3\nis wrong \ud800',
      },
    } as const;
    const { store, append, statuses } = await storeAfter(charge('a', 1), requested, review(1, 1));
    await append(held, refused);
    expect(statuses()).toEqual(['a: pending', 'r: pending']);
    expect(store.attempts(RUN)).toMatchObject([
      { task_key: 'a', ending: 'failed', cause: 'review', findings: 'line 3\nis wrong \ufffd' },
      { task_key: 'r', ending: 'held', cause: 'blocked', findings: null },
    ]);
    expect(store.changesOf(RUN, 'a')).toMatchObject(CHANGES);
  });

  test('that was approved and does not merge is to be approved anew', async () => {
    const { append, statuses } = await storeAfter(charge('a', 1), requested, review(1, 1));
    await append(approved, accepted, failed('a', 1));
    expect(statuses()).toEqual(['a: pending', 'r: pending']);
  });

  test('loses no approval by the end of another attempt', async () => {
    const second = { ...requested, attempt: 2 } as RunFact;
    const { append, statuses } = await storeAfter(charge('a', 1), failed('a', 1), charge('a', 2));
    await append(second, review(1, 2), approved, failed('a', 1));
    expect(statuses()).toEqual(['a: pending', 'r: accepted']);
  });
});

describe('evidence', () => {
  const facts = { ...accepted, evidence } as RunFact;

  test('of a completion adds to what the attempt has, and blanks nothing', async () => {
    const merged = { type: 'task.completed', taskId: 'a', attempt: 1, evidence: { merge: 'm' } };
    const { store } = await storeAfter(charge('a', 1), facts, merged as RunFact);
    const [attempt] = store.attempts(RUN, 'a');
    expect(JSON.parse(attempt?.evidence_json ?? '')).toEqual({ ...evidence, merge: 'm' });
    expect(store.changesOf(RUN, 'a')).toMatchObject(CHANGES);
    expect(store.productsOf(RUN, 'a')).toMatchObject(PRODUCTS);
  });

  test.each([
    ['"guard"', 'guard', undefined],
    ['"later"', { base: 'x' }, 'later'],
    ['{"merge":"m"}', 'guard', { merge: 'm' }],
  ])('that is no object is replaced, never taken apart: %s', async (kept, before, after) => {
    const completed = { type: 'task.completed', taskId: 'a', attempt: 1, evidence: after };
    const { store } = await storeAfter(
      charge('a', 1),
      { ...accepted, evidence: before } as RunFact,
      JSON.parse(JSON.stringify(completed)) as RunFact,
    );
    expect(store.attempts(RUN, 'a')).toMatchObject([{ evidence_json: kept }]);
  });

  test('that is told again replaces the rows of its attempt, and of no other', async () => {
    const less = { files: [evidence.files[1]], products: [] };
    const { store, append } = await storeAfter(charge('a', 1), facts, failed('a', 1));
    await append(charge('a', 2), { ...facts, attempt: 2 } as RunFact);
    await append({ ...accepted, attempt: 2, evidence: less } as RunFact);
    expect(store.changesOf(RUN, 'a')).toMatchObject([
      ...CHANGES,
      { ...CHANGES[1], attempt: 2, position: 0 },
    ]);
    expect(store.productsOf(RUN, 'a')).toMatchObject(PRODUCTS);
  });

  test('of another acceptance is kept whole, and makes no row it can not be', async () => {
    const odd = { files: [{ path: 7 }, null, { path: 'x', status: 'DROP' }], products: 'none' };
    const { store } = await storeAfter(charge('a', 1), { ...accepted, evidence: odd } as RunFact);
    expect(store.attempts(RUN, 'a')).toMatchObject([{ evidence_json: JSON.stringify(odd) }]);
    expect(store.changesOf(RUN, 'a')).toEqual([]);
    expect(store.productsOf(RUN, 'a')).toEqual([]);
  });
});

test('the tables follow from the events alone: a journal told again gives the same rows', async () => {
  const { store, append } = await storeAfter(charge('a', 1), checked('scope'), requested);
  await append(review(1, 1), approved, accepted, failed('a', 1), charge('a', 2));
  await append({ ...requested, attempt: 2 } as RunFact, review(2, 2), failed('r', 2));
  const again = storeAt(':memory:');
  await again.journal.append(await store.journal.load(RUN));
  const rows = (of: typeof store) => ({
    tasks: of.tasks(RUN),
    attempts: of.attempts(RUN),
    stages: of.stagesOf(RUN, 'a'),
    changes: of.changesOf(RUN, 'a'),
    products: of.productsOf(RUN, 'a'),
  });
  expect(rows(again)).toEqual(rows(store));
  expect(rows(store).changes).toHaveLength(4);
});

describe('a changed plan says anew who reviews whom', () => {
  const taken = (...tasks: readonly Task[]): RunFact => ({ type: 'plan.taken', tasks });
  const [a, r] = TASKS as readonly [Task, Task];
  const asked = [charge('a', 1), requested] as const;

  test('work whose only reviewer is dropped is accepted', async () => {
    const { append, statuses } = await storeAfter(...asked);
    expect(statuses()).toContain('a: reviewing');
    await append(taken(a));
    expect(statuses()).toContain('a: accepted');
  });

  test('approved work waits for a reviewer that is new', async () => {
    const { append, statuses } = await storeAfter(...asked, review(1, 1), approved, accepted);
    expect(statuses()).toEqual(['a: accepted', 'r: accepted']);
    await append(taken(a, r, { id: 's', parallel_group: 1, reviews: 'a' }));
    expect(statuses()).toEqual(['a: reviewing', 'r: accepted', 's: pending']);
  });

  test('an approval of other work than a reviewer has now counts no more', async () => {
    const { append, statuses } = await storeAfter(...asked, review(1, 1), approved, accepted);
    await append(taken(a, { id: 'b', parallel_group: 1 }, { ...r, reviews: 'b' }));
    expect(statuses()).toEqual(['a: accepted', 'b: pending', 'r: pending']);
  });

  test('an approval of the same work stays one', async () => {
    const { append, statuses } = await storeAfter(...asked, review(1, 1), approved, accepted);
    await append(taken(a, { ...r, title: 'again' }));
    expect(statuses()).toEqual(['a: accepted', 'r: accepted']);
  });
});
