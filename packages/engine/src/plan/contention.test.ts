import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { firstByKey, readRow } from '../core/task-issues/row.ts';
import { contentionFindings } from './contention.ts';
import { foldedBy } from './folded.ts';
import { validatePlan } from './validate-plan.ts';

const now = '2026-02-03T04:05:06Z';

const task = (id: string, fields: object) => ({
  id,
  parallel_group: 1,
  title: 'T',
  description: 'd',
  ...fields,
});

const issuesOf = (tasks: readonly object[], options: object = {}) => {
  const validation = validatePlan({ goal: 'g', tasks }, { now, ...options });
  return validation.ok ? [] : validation.issues;
};

const contended = (a: string, b: string, options: object = {}) =>
  issuesOf([task('a', { writes: [a] }), task('b', { writes: [b] })], options).map(
    ({ code, path }) => `${code} ${path}`,
  );

describe('two tasks of one group may not write', () => {
  test.each([
    ['x', 'x'],
    ['./a//b', 'a/b'],
    ['src', 'src/a.ts'],
    ['src/', 'src/x/**'],
    ['src/a/b/c', 'src/'],
    ['src/*.ts', 'src/a.css'],
    ['*.md', 'docs/a'],
    ['**', 'x'],
    ['app/[id]', 'app/d/x'],
    ['caf\u00e9', 'cafe\u0301'],
  ])('%s and %s', (a, b) => {
    expect(contended(a, b)).toEqual(['write-contention tasks[1].writes[0]']);
    expect(contended(b, a)).toEqual(['write-contention tasks[1].writes[0]']);
  });

  test.each([
    ['x', 'y'],
    ['src', 'src2'],
    ['src/a', 'src/ab'],
    ['src/a/**', 'src/b/**'],
    ['app/[id]/page.tsx', 'app/layout.tsx'],
    ['README.md', 'readme.md'],
  ])('but %s and %s', (a, b) => {
    expect(contended(a, b)).toEqual([]);
  });

  test('names that differ in case, where the files have none', () => {
    expect(contended('README.md', 'readme.md', { foldCase: true })).toHaveLength(1);
    expect(contended('SRC/**', 'src/a', { foldCase: true })).toHaveLength(1);
  });
});

test('both are named, with what they write and the way out', () => {
  const [issue] = issuesOf([task('a', { writes: ['src'] }), task('b', { writes: ['src/a.ts'] })]);
  expect(issue).toMatchObject({ taskId: 'b', fix: expect.stringContaining('parallel_group') });
  expect(issue?.message).toBe(
    'task "b" may write "src/a.ts" in parallel_group 1, and task "a" beside it "src"',
  );
});

test('a product is written, and told once', () => {
  const products = { must_produce: ['x'] };
  expect(issuesOf([task('a', products), task('b', products)]).map(({ path }) => path)).toEqual([
    'tasks[1].must_produce[0]',
  ]);
  const both = { writes: ['x'], ...products };
  expect(issuesOf([task('a', both), task('b', both)]).map(({ path }) => path)).toEqual([
    'tasks[1].writes[0]',
  ]);
});

test('another group, a closed row, a task that says nothing, and one with itself do not contend', () => {
  const x = { writes: ['x', 'x/y'] };
  expect(issuesOf([task('a', x), task('b', { ...x, parallel_group: 2 })])).toEqual([]);
  expect(issuesOf([task('a', x), task('b', { ...x, status: 'complete' })])).toEqual([]);
  expect(issuesOf([task('a', x), task('b', {})])).toEqual([]);
});

test('a reviewer does not contend, unless whom it would review is over and it is a task like any other', () => {
  const author = task('author', { assigned_persona: 'ada', writes: ['y'] });
  const other = task('b', { writes: ['x'] });
  const judge = task('judge', { assigned_persona: 'eve', reviews: 'author', writes: ['x'] });
  const contended = (issues: ReturnType<typeof issuesOf>) =>
    issues.filter(({ code }) => code === 'write-contention').map(({ path }) => path);
  expect(contended(issuesOf([author, other, judge]))).toEqual([]);
  const over = { ...author, status: 'complete' };
  expect(contended(issuesOf([over, other, judge]))).toEqual(['tasks[2].writes[0]']);
});

test('what a reviewer without an author writes may be read later', () => {
  const rows = (status: string) => [
    task('author', { status, assigned_persona: 'ada', writes: ['y'] }),
    task('judge', { assigned_persona: 'eve', reviews: 'author', writes: ['x'] }),
    task('r', { parallel_group: 2, reads: ['x'] }),
  ];
  const unmet = (status: string) =>
    issuesOf(rows(status), { existing: new Set() }).filter(({ code }) => code === 'unmet-read');
  expect(unmet('pending')).toHaveLength(1);
  expect(unmet('complete')).toEqual([]);
});

test('a path that is refused contends with nothing', () => {
  expect(issuesOf([task('a', { writes: ['../x'] }), task('b', { writes: ['.'] })])).toMatchObject([
    { code: 'invalid-path' },
    { code: 'invalid-path' },
  ]);
});

test('of many only the first thousand are named, and the rest is counted', () => {
  const tasks = Array.from({ length: 3_000 }, (_, i) => task(`n${i}`, { writes: ['x'] }));
  const issues = issuesOf(tasks);
  expect(issues).toHaveLength(1_001);
  expect(issues[0]).toMatchObject({
    path: 'tasks',
    message: expect.stringContaining('1999 more entries'),
  });
});

const entries = fc
  .array(fc.constantFrom('a', 'a', 'a', 'b', 'ab', 'A', 'é', 'e\u0301'), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((parts) =>
    fc.constantFrom(
      parts.join('/'),
      parts.slice(0, 1).join('/'),
      `./${parts.join('//')}/`,
      `${parts.join('/')}/**`,
      [...parts.slice(1), '*'].join('/'),
    ),
  );

const plans = fc.array(
  fc.record(
    {
      parallel_group: fc.integer({ min: 1, max: 2 }),
      writes: fc.array(entries, { minLength: 1, maxLength: 4 }),
      status: fc.constantFrom('pending', 'pending', 'pending', 'complete'),
    },
    { requiredKeys: ['parallel_group'] },
  ),
  { minLength: 2, maxLength: 6 },
);

/** The folder before the first wildcard, by hand. */
const naive = (entry: string, foldCase: boolean) => {
  const parts = entry.split('/').filter((part) => part !== '' && part !== '.');
  const wild = parts.findIndex((part) => part.includes('*'));
  const text = `${(wild < 0 ? parts : parts.slice(0, wild)).join('/')}/`.normalize('NFC');
  return foldCase ? text.toLowerCase() : text;
};

const meet = (a: string, b: string) => a === '/' || b === '/' || a.startsWith(b) || b.startsWith(a);

test('it finds what a naive look at every pair finds', () => {
  const seen = { equal: 0, prefix: 0, pattern: 0, clean: 0 };
  fc.assert(
    fc.property(plans, fc.boolean(), (tasks, foldCase) => {
      const rows = tasks.map((fields, i) => readRow(task(`n${i}`, fields), i));
      expect(firstByKey(rows).size).toBe(rows.length);
      const expected: string[] = [];
      for (const [index, row] of tasks.entries())
        for (const [item, entry] of (row.writes ?? []).entries()) {
          const others = tasks
            .slice(0, index)
            .filter(
              (other) =>
                other.parallel_group === row.parallel_group &&
                other.status !== 'complete' &&
                row.status !== 'complete',
            )
            .flatMap(({ writes = [] }) => writes)
            .filter((other) => meet(naive(entry, foldCase), naive(other, foldCase)));
          if (others.length === 0) seen.clean += 1;
          else expected.push(`${index} ${item}`);
          for (const other of others) {
            const [x, y] = [naive(entry, foldCase), naive(other, foldCase)];
            if (entry.includes('*') || other.includes('*')) seen.pattern += 1;
            else if (x === y) seen.equal += 1;
            else seen.prefix += 1;
          }
        }
      const found = [...contentionFindings(rows, foldedBy(foldCase))].map(
        ({ at: [, index, , item] }) => `${index} ${item}`,
      );
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 500 },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(50);
});
