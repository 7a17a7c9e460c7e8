import { it } from 'vitest';
import { neverDestroys } from './injected-failures.ts';

it.each(['integrate', 'publish', 'remove', 'release', 'gc'] as const)(
  'never destroys: %s, each git command of it going wrong in turn',
  neverDestroys,
  900_000,
);
