import { describe, expect, test } from 'vitest';
import { PreflightError, preflight } from './preflight.ts';
import type { Task } from './task.ts';

/** A row is whatever a caller without types could hand in. */
const refusal = (...rows: unknown[]): PreflightError => {
  try {
    preflight(rows as Task[]);
  } catch (error) {
    if (error instanceof PreflightError) return error;
    throw error;
  }
  throw new Error('not refused');
};

const codes = (...rows: unknown[]) => refusal(...rows).issues.map(({ code }) => code);

const accepted = (...rows: unknown[]) => expect(() => preflight(rows as Task[])).not.toThrow();

describe('groups', () => {
  test.each([[null], [undefined], [true], [1.5], [0], [-1], ['1'], [[1]], [Number.NaN], [2 ** 53]])(
    'hard rule: without a wave nothing is dispatched: parallel_group %s is refused',
    (group) => {
      const error = refusal({ id: 'a', parallel_group: group });
      expect(error.code).toBe('NULL_PARALLEL_GROUP');
      expect(error.issues[0]).toMatchObject({ code: 'invalid-group', field: 'parallel_group' });
    },
  );

  test('one error lists exactly the tasks without a wave, sorted by code point', () => {
    const error = refusal(
      { id: 'T-9' },
      { id: '\u{1f600}', parallel_group: null },
      { id: '\uffee', parallel_group: 0 },
      { id: 10, parallel_group: 'x' },
      { id: 'fine', parallel_group: 1, depends_on: ['nowhere'] },
    );
    expect(error.taskIds).toEqual(['10', 'T-9', '\uffee', '\u{1f600}']);
    expect(error.message).toContain('10; T-9; \uffee; \u{1f600}; and 1 further defects');
    expect(error.issues).toHaveLength(5);
  });

  test.each(['complete', 'abandoned', 'held'])(
    'a row that is %s needs no wave and no time',
    (status) => {
      accepted({ id: 'a', status, parallel_group: null, created_at: 'yesterday' });
    },
  );

  test.each(['pending', 'done', undefined, null, 7])(
    'a row with status %s needs a wave',
    (status) => {
      expect(codes({ id: 'a', status })).toEqual(['invalid-group']);
    },
  );
});

describe('ids', () => {
  const withId = (id: unknown) => codes({ id, parallel_group: 1 });

  test.each([
    '../x',
    '-rf',
    '..',
    'x.lock',
    'a b',
    '👩‍👩‍👧',
    'naïve-ü',
    '__proto__',
    '\u202edrow',
    'e'.repeat(256),
    '😀'.repeat(256),
  ])('%j is a name like any other', (id) => accepted({ id, parallel_group: 1 }));

  test.each([0, -7, Number.MAX_SAFE_INTEGER])('the number %d is a name', (id) =>
    accepted({ id, parallel_group: 1 }),
  );

  test('case twins are two tasks', () => {
    accepted({ id: 'api', parallel_group: 1 }, { id: 'API', parallel_group: 1 });
  });

  test.each([undefined, null])('%s is no id', (id) => expect(withId(id)).toEqual(['missing-id']));

  test.each([
    ['', 'is empty'],
    [' \t', 'is empty'],
    ['a\u0000b', 'control character'],
    ['a\u001b[2Jb', 'control character'],
    ['a\u2028b', 'control character'],
    ['a\ud800b', 'half a surrogate pair'],
    ['e'.repeat(257), 'longer than 256'],
    ['😀'.repeat(257), 'longer than 256'],
    ['x'.repeat(300), 'longer than 256'],
    [1.5, 'safe integer'],
    [2 ** 53, 'safe integer'],
    [true, 'safe integer'],
    [['a'], 'safe integer'],
    [{}, 'safe integer'],
  ])('%j is refused by name', (id, reason) => {
    const [issue] = refusal({ id, parallel_group: 1 }).issues;
    expect(issue).toMatchObject({ code: 'invalid-id', field: 'id', row: 0 });
    expect(issue?.message).toContain(reason);
    expect(issue?.message).toMatch(/^[\x20-\x7e…😀]*$/u);
  });

  test('a repeated id is refused, compared as text, closed rows included', () => {
    const error = refusal(
      { id: 7, parallel_group: 1 },
      { id: '7', parallel_group: 2 },
      { id: 'a', status: 'complete' },
      { id: 'a', status: 'abandoned' },
    );
    expect(error.issues.map(({ code, row }) => [code, row])).toEqual([
      ['duplicate-id', 1],
      ['duplicate-id', 3],
    ]);
    expect(error.code).toBe('INVALID_TASKS');
    expect(error.taskIds).toEqual(['7', 'a']);
  });

  test('a closed row still needs an id', () => {
    expect(codes({ status: 'complete' })).toEqual(['missing-id']);
  });
});

describe('fields', () => {
  const withFields = (fields: object) =>
    refusal({ id: 'a', parallel_group: 1, ...fields }).issues.map(({ code, field, item }) => [
      code,
      field,
      item,
    ]);

  test.each([null, 'a', 7, [[]]])('%j is no task', (row) => {
    expect(codes(row)).toEqual(['not-an-object']);
  });

  test('created_at is an instant or absent', () => {
    accepted({ id: 'a', parallel_group: 1, created_at: '2026-01-01 08:30' });
    expect(withFields({ created_at: 'soon' })).toEqual([
      ['invalid-created-at', 'created_at', undefined],
    ]);
    expect(withFields({ created_at: 1767225600 })).toEqual([
      ['invalid-created-at', 'created_at', undefined],
    ]);
  });

  test('attempts is a count or absent', () => {
    accepted({ id: 'a', parallel_group: 1, attempts: 5 });
    for (const attempts of [-1, 0.5, '1', true]) {
      expect(withFields({ attempts })).toEqual([['invalid-attempts', 'attempts', undefined]]);
    }
  });

  test('lists are lists of the right thing, and every wrong element is named', () => {
    expect(
      withFields({ depends_on: 'b', reads: {}, writes: ['x', 1, null], must_produce: 0 }),
    ).toEqual([
      ['wrong-type', 'depends_on', undefined],
      ['wrong-type', 'reads', undefined],
      ['wrong-type', 'writes', 1],
      ['wrong-type', 'writes', 2],
      ['wrong-type', 'must_produce', undefined],
    ]);
    expect(withFields({ depends_on: [true], reviews: ['b'] })).toEqual([
      ['wrong-type', 'depends_on', 0],
      ['wrong-type', 'reviews', undefined],
    ]);
  });

  test('the shape of a closed row is checked, too: its edges are followed', () => {
    expect(codes({ id: 'a', status: 'complete', depends_on: 'b' })).toEqual(['wrong-type']);
  });
});

test('an error has a name, a code, a hint, and a message that stays short', () => {
  const error = refusal(
    ...Array.from({ length: 5000 }, (_, i) => ({ id: `\u001b[2J${i}`, parallel_group: 1 })),
  );
  expect(error).toMatchObject({ name: 'PreflightError', code: 'INVALID_TASKS' });
  expect(error.hint).not.toBe('');
  expect(error.issues).toHaveLength(5000);
  expect(error.message).toContain('4980 more');
  expect(error.message.length).toBeLessThan(5000);
  expect(error.message).not.toContain('\u001b');
});

test('defects of different kinds are all in one error, by position', () => {
  expect(
    codes(
      { id: 'a', parallel_group: 1, attempts: -1, depends_on: ['zz', 'b'] },
      7,
      { id: 'b', parallel_group: 1, created_at: 'x' },
      { id: 'b', parallel_group: 2 },
    ),
  ).toEqual([
    'unknown-upstream',
    'not-later',
    'invalid-attempts',
    'not-an-object',
    'invalid-created-at',
    'duplicate-id',
  ]);
});
