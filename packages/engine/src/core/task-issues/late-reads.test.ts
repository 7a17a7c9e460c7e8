import { expect, test } from 'vitest';
import { lateReads } from './late-reads.ts';
import { type Row, readRow } from './row.ts';
import { taskIssues } from './task-issues.ts';

const author = { id: 'a', parallel_group: 1, assigned_persona: 'ada', writes: ['x'] };
const reviewer = { id: 'r', parallel_group: 3, assigned_persona: 'eve', reviews: 'a' };

const late = (reads: readonly string[], writer: object) =>
  taskIssues([author, { id: 'late', parallel_group: 2, ...writer }, { ...reviewer, reads }]).map(
    ({ code, field, item }) => `${code} ${field} ${item}`,
  );

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['src/a.ts', 'src'],
  ['src/a.ts', 'src/**'],
  ['src/a.ts', 'SRC/a.ts'],
  ['./src//a.ts', 'src/*.md'],
  ['src', 'src/deep/b.ts'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['app/i/page.tsx', 'app/[id]/page.tsx'],
  ['caf\u00e9', 'cafe\u0301'],
])(
  'a reviewer does not read %s where a task that is not earlier than its author writes %s',
  (path, entry) => {
    expect(late(['x', path], { writes: [entry] })).toEqual(['not-later reads 1']);
  },
);

test('nor what such a task must produce, where that is a name, brackets and all', () => {
  expect(late(['src', 'app/i'], { must_produce: ['app/[id]', 'src/y'] })).toEqual([
    'not-later reads 0',
  ]);
});

test('it may read what lies beside that, what its author writes, and what is written before or after', () => {
  const writes = ['src', 'app/[id]/page.tsx'];
  expect(late(['srcs/a.ts', 'app/x/page.tsx', 'x'], { writes })).toEqual([]);
  expect(late(['src'], { writes, parallel_group: 3 })).toEqual([]);
  expect(late(['src'], { writes, status: 'complete' })).toEqual([]);
  expect(
    taskIssues([
      { id: 'early', parallel_group: 1, writes: ['src'] },
      { ...author, parallel_group: 2, writes: ['src/x'] },
      { ...reviewer, reads: ['src/x', 'src'] },
    ]),
  ).toEqual([]);
});

test('the author is passed over, and the first of the others is named', () => {
  const [wrong, ...more] = taskIssues([
    { id: 'later', parallel_group: 2, writes: ['src/a.ts'] },
    { ...author, writes: ['src/**', 'src/a.ts'] },
    { id: 'beside', parallel_group: 1, must_produce: ['src/A.ts'] },
    { ...reviewer, reads: [7, 'src/a.ts'] },
  ]);
  expect(wrong).toMatchObject({ code: 'wrong-type', item: 0 });
  expect(more).toEqual([
    expect.objectContaining({
      ...{ code: 'not-later', field: 'reads', item: 1 },
      message:
        'task "r" reads "src/a.ts", which task "beside" may write in parallel_group 1, but it reviews task "a" and runs with it in parallel_group 1',
    }),
  ]);
});

test('thousands who read what thousands have written are not compared in pairs', () => {
  const count = 2_000;
  let looks = 0;
  const counted = (task: object, index: number): Row => {
    const row = readRow(task, index);
    return {
      ...row,
      get group() {
        looks += 1;
        return row.group;
      },
    };
  };
  const rows = Array.from({ length: count }, (_, at) => [
    { id: `w${at}`, parallel_group: 1, writes: ['src'] },
    { ...author, id: `a${at}`, parallel_group: 2, writes: [] },
    { ...reviewer, id: `r${at}`, reviews: `a${at}`, reads: ['src/a.ts'] },
  ])
    .flat()
    .map(counted);
  const reviews = rows.flatMap((row, at) => {
    const before = rows[at - 1];
    return at % 3 === 2 && before ? [{ row, author: before }] : [];
  });
  expect([...lateReads(rows, reviews)]).toEqual([]);
  expect(looks).toBeGreaterThan(count);
  expect(looks).toBeLessThan(count * 200);
});
