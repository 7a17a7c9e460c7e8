import { expect, test } from 'vitest';
import { taskIssues } from './task-issues.ts';

const author = { id: 'a', parallel_group: 1, assigned_persona: 'ada', writes: ['x'] };
const reviewer = { id: 'r', parallel_group: 2, assigned_persona: 'eve', reviews: 'a' };

const codes = (...rows: unknown[]) => taskIssues(rows).map(({ code, field }) => `${code} ${field}`);

test('a reviewer may stand in the group of its author or in a later one', () => {
  expect(codes(author, reviewer)).toEqual([]);
  expect(codes(author, { ...reviewer, parallel_group: 1, depends_on: ['a'] })).toEqual([]);
  expect(codes({ ...author, parallel_group: 3 }, reviewer)).toEqual(['not-later reviews']);
});

test('a reviewer is somebody else than the author: both are named, and they differ', () => {
  expect(codes(author, { ...reviewer, assigned_persona: 'ada' })).toEqual([
    'reviewer-persona reviews',
  ]);
  expect(codes(author, { ...reviewer, assigned_persona: null, assigned_to: 'eve' })).toEqual([]);
  expect(codes(author, { ...reviewer, assigned_persona: null })).toEqual([
    'reviewer-persona reviews',
  ]);
  expect(codes({ ...author, assigned_persona: undefined }, reviewer)).toEqual([
    'reviewer-persona reviews',
  ]);
  const [issue] = taskIssues([author, { ...reviewer, assigned_persona: 'ada' }]);
  expect(issue?.message).toBe('task "r" reviews task "a", and both are assigned to "ada"');
});

test('a reviewer changes nothing', () => {
  expect(codes(author, { ...reviewer, writes: [] })).toEqual([]);
  expect(
    codes(author, {
      ...reviewer,
      writes: ['notes.md'],
      must_produce: ['notes.md'],
      verify: 'true',
    }),
  ).toEqual(['reviewer-writes writes', 'reviewer-writes must_produce', 'reviewer-writes verify']);
});

test('there is no review of a review', () => {
  const second = { id: 's', parallel_group: 2, assigned_persona: 'kim', reviews: 'r' };
  expect(codes(author, reviewer, second)).toEqual(['review-of-review reviews']);
});

test('a reviewer runs with its author, so what else it needs comes before the author', () => {
  const other = { id: 'o', parallel_group: 1, writes: ['y'] };
  expect(codes(author, other, { ...reviewer, depends_on: ['o'] })).toEqual([
    'not-later depends_on',
  ]);
  expect(codes(author, other, { ...reviewer, reads: ['./y'] })).toEqual(['not-later reads']);
  expect(
    codes({ ...author, parallel_group: 2 }, other, {
      ...reviewer,
      parallel_group: 2,
      depends_on: ['o'],
      reads: ['y'],
    }),
  ).toEqual([]);
  expect(codes(author, reviewer, { id: 't', parallel_group: 2, depends_on: ['r'] })).toEqual([]);
});

test('of a review that is history nothing is asked', () => {
  expect(codes({ ...author, status: 'complete' }, { ...reviewer, assigned_persona: null })).toEqual(
    [],
  );
});
