import type { PlanPreview, PreviewTask } from '@atelier/engine/plan';
import { expect, test } from 'vitest';
import { columnsOf } from './fit.ts';
import { renderPreview } from './render-preview.ts';

const task = (id: string | number, fields: Partial<PreviewTask> = {}): PreviewTask => ({
  id,
  title: 'Do it',
  worker: null,
  depends_on: [],
  writes: [],
  ...fields,
});

const preview = (fields: Partial<PlanPreview> = {}): PlanPreview => ({
  version: 1,
  goal: 'Ship the export',
  maxAttempts: 5,
  waves: [],
  closed: 0,
  live: 0,
  maxDispatches: 0,
  warnings: [],
  ...fields,
});

const twoWaves = preview({
  waves: [
    {
      wave: 0,
      group: 1,
      tasks: [
        task('api', { worker: 'backend', writes: ['src/api/**', 'src/routes.ts'] }),
        task(7, { title: '画面を作る', worker: 'frontend', writes: null }),
      ],
    },
    {
      wave: 1,
      group: 20,
      tasks: [task('review', { title: 'Review it', depends_on: ['api', '7', 'x', 'y', 'z'] })],
    },
  ],
  live: 3,
  closed: 2,
  maxDispatches: 15,
  warnings: [{ code: 'no-writes', taskId: '7', message: 'task "7" does not say what it writes' }],
});

test('waves are a table, then the bound, then the warnings', () => {
  expect(renderPreview(twoWaves)).toBe(`Goal: Ship the export

wave          task    title       worker    after         writes
1             api     Do it       backend   -             src/api/**, src/routes.ts
              7       画面を作る  frontend  -             (not stated)
2 (group 20)  review  Review it   -         api, 7, x +2  (nothing)

3 tasks in 2 waves, 2 already closed. The run halts after at most 15 dispatches (5 attempts per task).

Warnings:
- task "7" does not say what it writes
`);
});

test('a reviewer stands behind its author, and names it', () => {
  const tasks = [
    task('api', { writes: ['src/api/**'] }),
    task('critic', { depends_on: ['spec', 'api'], reviews: 'api' }),
  ];
  const text = renderPreview(preview({ waves: [{ wave: 0, group: 1, tasks }], live: 2 }));
  expect(text.split('\n').slice(2, 5)).toEqual([
    'wave  task    title  worker  after              writes',
    '1     api     Do it  -       -                  src/api/**',
    '      critic  Do it  -       reviews api, spec  (nothing)',
  ]);
});

test('a narrow terminal cuts the cells, not the lines', () => {
  const lines = renderPreview(twoWaves, { width: 62 }).split('\n').slice(2, 6);
  expect(lines).toEqual([
    'wave       task    title       worker    after      writes',
    '1          api     Do it       backend   -          src/api/*…',
    '           7       画面を作る  frontend  -          (not stat…',
    '2 (group…  review  Review it   -         api, 7, …  (nothing)',
  ]);
});

test('a plan with nothing left to do says so', () => {
  expect(renderPreview(preview({ closed: 3 }))).toBe(`Goal: Ship the export

Nothing to run: 3 tasks are already closed. The run halts after at most 0 dispatches (5 attempts per task).
`);
});

test('one of each is counted in the singular', () => {
  const one = preview({
    waves: [{ wave: 0, group: 1, tasks: [task('a')] }],
    live: 1,
    maxDispatches: 1,
    maxAttempts: 1,
  });
  expect(renderPreview(one)).toContain(
    '1 task in 1 wave, 0 already closed. The run halts after at most 1 dispatch (1 attempt per task).',
  );
});

test('many warnings are counted', () => {
  const warnings = Array.from({ length: 25 }, (_, i) => ({
    code: 'no-writes' as const,
    taskId: `${i}`,
    message: `warning ${i}`,
  }));
  expect(renderPreview(preview({ warnings }))).toMatch(/- warning 19\n- and 5 more\n$/u);
});

test('no foreign text reaches the terminal raw', () => {
  const evil = '\u001b[2J\u202e\n';
  const text = renderPreview(
    preview({
      goal: evil,
      waves: [
        {
          wave: 0,
          group: 1,
          tasks: [task(evil, { title: evil, worker: evil, depends_on: [evil], writes: [evil] })],
        },
      ],
      live: 1,
      warnings: [{ code: 'no-writes', taskId: evil, message: evil }],
    }),
  );
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(text.split('\n').filter((line) => line.includes('\\x1b'))).toHaveLength(3);
});

test('columns have bounds, however long the texts', () => {
  const long = 'x'.repeat(500);
  const text = renderPreview(
    preview({
      waves: [
        { wave: 0, group: 1, tasks: [task(long, { title: long, worker: long, writes: [long] })] },
      ],
      live: 1,
    }),
    { width: 10_000 },
  );
  const row = text.split('\n')[3] ?? '';
  expect(columnsOf(row)).toBeLessThan(200);
});
