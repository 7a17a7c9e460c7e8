import { expect, test } from 'vitest';
import { assertPlan } from './assert-plan.ts';
import { type PreviewOptions, previewPlan } from './preview-plan.ts';

const preview = (rows: object[], options?: PreviewOptions) =>
  previewPlan(
    assertPlan(
      {
        goal: 'g',
        tasks: rows.map((row) => ({ title: 'T', description: 'd', writes: [], ...row })),
      },
      { now: '2026-01-01T00:00:00Z' },
    ),
    options,
  );

const READS_ANYTHING = { after_wave: null, unstated: ['reads'] };

test('waves follow groups, tasks within one by creation and id, closed rows are only counted', () => {
  expect(
    preview([
      { id: 'late', parallel_group: 3, depends_on: [10], assigned_to: 'w' },
      { id: 10, parallel_group: 1 },
      { id: 9, parallel_group: 1, writes: ['a'] },
      { id: 'old', parallel_group: 1, created_at: '2025-12-31' },
      { id: 'over', status: 'complete' },
    ]),
  ).toEqual({
    version: 1,
    goal: 'g',
    maxAttempts: 5,
    schedule: 'parallel',
    waves: [
      {
        wave: 0,
        group: 1,
        tasks: [
          { id: 'old', title: 'T', worker: null, depends_on: [], writes: [], ...READS_ANYTHING },
          { id: 9, title: 'T', worker: null, depends_on: [], writes: ['a'], ...READS_ANYTHING },
          { id: 10, title: 'T', worker: null, depends_on: [], writes: [], ...READS_ANYTHING },
        ],
      },
      {
        wave: 1,
        group: 3,
        tasks: [
          {
            ...{ id: 'late', title: 'T', worker: 'w', depends_on: ['10'], writes: [] },
            ...{ ...READS_ANYTHING, after_wave: 0, early: true },
          },
        ],
      },
    ],
    closed: 1,
    live: 4,
    maxDispatches: 20,
    warnings: [],
  });
});

test('a task also waits for what it reads and whom it reviews', () => {
  const { waves } = preview([
    { id: 'a', parallel_group: 1, writes: ['x'] },
    { id: 'b', parallel_group: 2, assigned_persona: 'ada' },
    { id: 'c', parallel_group: 3, assigned_persona: 'eve', reads: ['./x'], reviews: 'b' },
  ]);
  expect(waves.map(({ tasks }) => tasks.map(({ id }) => id))).toEqual([['a'], ['b', 'c']]);
  expect(waves[1]?.tasks[1]).toMatchObject({
    ...{ depends_on: ['b', 'a'], reads_from: ['a'], reviews: 'b', writes: [] },
  });
});

test('attempts already spent are not dispatched again', () => {
  const rows = [
    { id: 'a', parallel_group: 1, attempts: 2 },
    { id: 'b', parallel_group: 1, attempts: 9 },
    { id: 'c', parallel_group: 1 },
    { id: 'd', parallel_group: 1, attempts: 1, status: 'complete' },
  ];
  expect(preview(rows).maxDispatches).toBe(3 + 0 + 5);
  expect(preview(rows, { maxAttempts: 1 }).maxDispatches).toBe(0 + 0 + 1);
  expect(preview(rows).warnings).toMatchObject([{ code: 'budget-spent', taskId: 'b' }]);
});

test('an all-done plan has no waves and halts at once', () => {
  expect(preview([{ id: 'a', status: 'complete' }])).toMatchObject({
    waves: [],
    live: 0,
    closed: 1,
    maxDispatches: 0,
  });
});

test('a task that does not say what it writes is warned about, a read-only one is not', () => {
  expect(
    preview([
      { id: 'free', parallel_group: 1, writes: undefined },
      { id: 'reader', parallel_group: 1 },
      { id: 'over', status: 'held', writes: undefined },
    ]).warnings,
  ).toMatchObject([{ code: 'no-writes', taskId: 'free' }]);
});

test('attempts beyond the cap must be meant', () => {
  const rows = [{ id: 'a', parallel_group: 1 }];
  expect(() => preview(rows, { maxAttempts: 6 })).toThrow('raiseCaps');
  expect(preview(rows, { maxAttempts: 6, raiseCaps: true }).maxDispatches).toBe(6);
});

test('who builds on what is lost, or has a reviewer without an attempt left, is not dispatched', () => {
  const rows = [
    { id: 'gone', parallel_group: 1, status: 'abandoned', writes: ['src'] },
    { id: 'reader', parallel_group: 2, reads: ['src/a.ts'] },
    { id: 'behind', parallel_group: 3, depends_on: ['reader'] },
    { id: 'author', parallel_group: 2, assigned_to: 'ada' },
    { id: 'judge', parallel_group: 2, assigned_to: 'eve', reviews: 'author', attempts: 5 },
    { id: 'free', parallel_group: 3 },
  ];
  const { maxDispatches, warnings } = preview(rows);
  expect(maxDispatches).toBe(5);
  expect(warnings).toEqual([
    expect.objectContaining({
      ...{ code: 'cascade', taskId: 'author' },
      message: expect.stringContaining('without task "judge", which has no attempt left'),
    }),
    expect.objectContaining({ code: 'budget-spent', taskId: 'judge' }),
    {
      code: 'cascade',
      taskId: 'reader',
      message:
        'task "reader" can not be done without task "gone", which is abandoned: it will be abandoned without a dispatch',
    },
    expect.objectContaining({
      ...{ code: 'cascade', taskId: 'behind' },
      message: expect.stringContaining('without task "gone", which is abandoned'),
    }),
  ]);
});

test('under pipeline a verify that may run before earlier waves are merged is told, once', () => {
  const declared = { reads: [], verify: 'npm test' };
  const rows = [
    { id: 'a', parallel_group: 1, ...declared },
    { id: 'b', parallel_group: 2, ...declared },
    { id: 'c', parallel_group: 2, ...declared },
    { id: 'd', parallel_group: 3, verify: 'npm test', depends_on: ['b', 'c'] },
  ];
  expect(preview(rows).warnings).toEqual([]);
  const { warnings } = preview(rows, { schedule: 'pipeline' });
  expect(warnings).toMatchObject([{ code: 'verify-early', taskId: 'b' }]);
  expect(warnings[0]?.message).toContain('task "b" and 1 more may start early');
});
