import { expect, test } from 'vitest';
import { pairedBy } from './pair-reviewers.ts';

const tasks = [
  { id: 'a', parallel_group: 1 },
  { id: 7, parallel_group: 1 },
  { id: 'r', parallel_group: 2, reviews: 'a', depends_on: [7] },
  { id: 's', parallel_group: 2 },
];

const reviewsOf = (pairing: Parameters<typeof pairedBy>[1]) =>
  pairedBy(tasks, pairing).map(({ id, reviews }) => `${id}: ${reviews ?? '-'}`);

test('the map says who reviews whom, and not the tasks', () => {
  expect(reviewsOf({ a: 's' })).toEqual(['a: -', '7: -', 'r: -', 's: a']);
  expect(reviewsOf({ '7': ['r', 's'] })).toEqual(['a: -', '7: -', 'r: 7', 's: 7']);
});

test('an empty map pairs nobody; who would have reviewed still waits for that task', () => {
  expect(reviewsOf({})).toEqual(['a: -', '7: -', 'r: -', 's: -']);
  expect(pairedBy(tasks, {})[2]).toEqual({ id: 'r', parallel_group: 2, depends_on: [7, 'a'] });
});

test.each([
  ['an author that is no task', { ghost: 's' }, /ghost/u],
  ['a reviewer that is no task', { a: 'ghost' }, /ghost/u],
  ['a reviewer of two tasks', { a: 's', '7': ['s'] }, /s review two/u],
])('%s is refused by name', (_, pairing, message) => {
  expect(() => pairedBy(tasks, pairing)).toThrow(message);
});
