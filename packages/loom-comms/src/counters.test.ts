import { expect, it } from 'vitest';
import { countersOf, countFailure, tally } from './counters.ts';

it('counts by code, and no server can make it remember more of them than it may', () => {
  const count = tally();
  for (let code = 0; code < 1_000; code++) countFailure(count, `C${code}`);
  countFailure(count, 'C7');
  const { failed } = countersOf(count, 0);
  expect(Object.keys(failed)).toHaveLength(33);
  expect([failed['C0'], failed['C7'], failed['C32'], failed['OTHER']]).toEqual([
    1,
    2,
    undefined,
    968,
  ]);
});
