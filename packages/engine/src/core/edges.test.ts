import { describe, expect, test } from 'vitest';
import { upstreamEdges } from './edges.ts';
import type { Task } from './task.ts';

const edges = (...tasks: Task[]) =>
  Object.fromEntries(
    [...upstreamEdges(tasks)].map(([key, list]) => [
      key,
      list.map(({ upstream, kind }) => `${kind} ${upstream}`),
    ]),
  );

test('a task waits for what it states, keyed and named by canonical text', () => {
  expect(
    edges({ id: 1, parallel_group: 1 }, { id: 'b', parallel_group: 2, depends_on: ['1', 1] }),
  ).toEqual({
    1: [],
    b: ['explicit 1'],
  });
});

test('a reader waits for every writer of an earlier group, not only the latest', () => {
  expect(
    edges(
      { id: 'w1', parallel_group: 1, writes: ['./src//a.ts'] },
      { id: 'w2', parallel_group: 2, must_produce: ['src/x/../a.ts'] },
      { id: 'w3', parallel_group: 3, writes: ['src/a.ts'] },
      { id: 'r', parallel_group: 3, reads: ['src/a.ts/'] },
    ),
  ).toMatchObject({ r: ['reads w1', 'reads w2'] });
});

test('a writer of the same or a later group is not waited for', () => {
  expect(
    edges(
      { id: 'r', parallel_group: 1, reads: ['a'] },
      { id: 'same', parallel_group: 1, writes: ['a'] },
      { id: 'later', parallel_group: 2, writes: ['a'] },
    ),
  ).toMatchObject({ r: [] });
});

test.each(['complete', 'abandoned', 'held'])(
  'a writer that is %s counts as earlier than every group',
  (status) => {
    expect(
      edges({ id: 'r', parallel_group: 1, reads: ['a'] }, { id: 'w', status, writes: ['a'] }),
    ).toEqual({ r: ['reads w'], w: [] });
  },
);

test('a closed writer that has a group keeps it', () => {
  expect(
    edges(
      { id: 'r', parallel_group: 1, reads: ['a'] },
      { id: 'w', status: 'complete', parallel_group: 2, writes: ['a'] },
    ),
  ).toMatchObject({ r: [] });
});

test('a reviewer waits for its author', () => {
  expect(
    edges({ id: 'a', parallel_group: 1 }, { id: 'r', parallel_group: 2, reviews: 'a' }),
  ).toMatchObject({ r: ['review a'] });
});

test('a path that a task names twice is written once', () => {
  expect(
    edges(
      { id: 'w', parallel_group: 1, writes: ['a', './a'], must_produce: ['a'] },
      { id: 'r', parallel_group: 2, reads: ['a', 'a/'] },
    ),
  ).toMatchObject({ r: ['reads w'] });
});

test('a pair has one edge, of the first kind that applies', () => {
  expect(
    edges(
      { id: 'a', parallel_group: 1, writes: ['x'] },
      { id: 'b', parallel_group: 2, depends_on: ['a', 'a'], reviews: 'a', reads: ['x'] },
      { id: 'c', parallel_group: 2, reviews: 'a', reads: ['x'] },
    ),
  ).toMatchObject({ b: ['explicit a'], c: ['review a'] });
});

test('edges of closed rows that lead nowhere are left out', () => {
  expect(edges({ id: 'a', status: 'complete', depends_on: ['gone', 'a'], reviews: null })).toEqual({
    a: [],
  });
});

test('names of object members are names like any other', () => {
  expect([
    ...upstreamEdges([
      { id: '__proto__', parallel_group: 1, writes: ['constructor'] },
      { id: 'toString', parallel_group: 2, reads: ['constructor'] },
    ]),
  ]).toEqual([
    ['__proto__', []],
    ['toString', [{ upstream: '__proto__', kind: 'reads' }]],
  ]);
});

describe('who writes a folder, or by a pattern', () => {
  test.each([
    [{ writes: ['src/**'] }, 'src/a.ts'],
    [{ writes: ['src'] }, 'src/deep/a.ts'],
    [{ writes: ['src/a.ts'] }, 'src'],
    [{ writes: ['src/{a,b}.ts'] }, 'src/a.ts'],
    [{ writes: ['**'] }, 'src/a.ts'],
    [{ writes: ['src/a.ts'] }, '.'],
    [{ writes: ['SRC/A.ts'] }, 'src/a.ts'],
    [{ writes: ['app/[id]/p.tsx'] }, 'app/[id]/p.tsx'],
    [{ writes: ['u\u0308'] }, '\u00fc'],
    [{ must_produce: ['src/deep/a.ts'] }, 'src/deep'],
  ])('%j: is waited for by who reads %j', (fields, path) => {
    const found = edges(
      { id: 'w', parallel_group: 1, ...fields },
      { id: 'r', parallel_group: 2, reads: [path] },
      { id: 'beside', parallel_group: 1, reads: [path] },
    );
    expect(found).toMatchObject({ r: ['reads w'], beside: [] });
  });

  test.each([
    ['src', 'srcs/a.ts'],
    ['src/a.ts', 'src/b.ts'],
    ['src/a', 'src/a.ts'],
    ['app/(shop)/p', 'app/(admin)/p'],
  ])('who writes %j is not waited for by who reads %j', (written, read) => {
    const writer = { id: 'w', parallel_group: 1, writes: [written] };
    expect(edges(writer, { id: 'r', parallel_group: 2, reads: [read] })).toMatchObject({ r: [] });
    expect(
      edges(writer, { id: 'r', parallel_group: 2, reads: [read, 'x'] }, { id: 'x' }),
    ).toMatchObject({ r: [] });
  });

  test('each is named once, by group, whether it is around what is read, there, or inside', () => {
    const found = edges(
      { id: 'all', parallel_group: 2, writes: ['**'] },
      { id: 'in', parallel_group: 1, writes: ['src/deep/a', 'src/deep/b', 'src/deep'] },
      { id: 'r', parallel_group: 3, reads: ['src', 'src/deep', 'src/deep/a'] },
    );
    expect(found).toMatchObject({ r: ['reads all', 'reads in'] });
  });
});

test('a reviewer whose author is over reads as a task of its own', () => {
  const rows = (status: string) => [
    { id: 'author', parallel_group: 1, status },
    { id: 'w', parallel_group: 2, writes: ['x'] },
    { id: 'r', parallel_group: 3, reviews: 'author', reads: ['x'] },
  ];
  expect(edges(...rows('complete'))).toMatchObject({ r: ['review author', 'reads w'] });
  expect(edges(...rows('pending'))).toMatchObject({ r: ['review author'] });
});

test('3,000 reads of a folder that 3,000 wrote before are looked up once', () => {
  const writers = Array.from({ length: 3_000 }, (_, at) => ({
    ...{ id: `w${at}`, parallel_group: 1 + at, writes: ['src'] },
  }));
  const reads = Array.from({ length: 3_000 }, (_, at) => `src/${at}`);
  const found = upstreamEdges([...writers, { id: 'r', parallel_group: 20_000, reads }]);
  expect(found.get('r')).toHaveLength(3_000);
});
