import { expect, it } from 'vitest';
import { neverDestroys, SEEDS } from './injected-failures.ts';

it.each(['start', 'carve', 'salvage', 'salvage again'] as const)(
  'never destroys: %s, each git command of it going wrong in turn',
  neverDestroys,
  900_000,
);

it('makes two hundred such failures', () => {
  expect(Object.values(SEEDS).reduce((sum, seeds) => sum + seeds, 0)).toBeGreaterThanOrEqual(200);
});
