import { expect, it } from 'vitest';
import { breaker } from './breaker.ts';
import { done, failed } from './loom-result.ts';

const trial = () => {
  const trips: string[] = [];
  const one = breaker({ failures: 3, onTrip: ({ code }) => trips.push(code) });
  return { ...one, trips };
};
const late = failed('timeout', 'TIMEOUT', '');

it('LC-42: opens after three failures in a row, once', () => {
  const { note, open, trips } = trial();
  for (const answer of [late, late, done(1), late, failed('http', '500', '')]) note(answer);
  expect(open()).toBe(false);
  note(failed('tool', 'INTERNAL_ERROR', 'ref 7'));
  note(late);
  expect([open(), trips]).toEqual([true, ['INTERNAL_ERROR']]);
});

it.each(['403', '404', '406', '413', '415'])('opens at once at %s', (status) => {
  const { note, open } = trial();
  note(failed('http', status, ''));
  expect(open()).toBe(true);
});

it('takes a server that says no for one that is there, and a full one for neither', () => {
  const { note, open } = trial();
  const full = failed('http', '503', '');
  for (const answer of [late, late, failed('tool', 'NOT_A_MEMBER', ''), late, late, full, full])
    note(answer);
  expect(open()).toBe(false);
});
