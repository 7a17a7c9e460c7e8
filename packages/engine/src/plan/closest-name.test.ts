import { expect, test } from 'vitest';
import { closestName } from './closest-name.ts';

const KNOWN = ['id', 'title', 'description', 'depends_on', 'parallel_group', 'reads', 'writes'];

test.each([
  ['tilte', 'title'],
  ['dependsOn', 'depends_on'],
  ['depend-on', 'depends_on'],
  ['Parallel Group', 'parallel_group'],
  ['read', 'reads'],
  ['descripton', 'description'],
  ['di', 'id'],
])('%s stands for %s', (typed, meant) => expect(closestName(typed, KNOWN)).toBe(meant));

test.each(['', 'owner', 'x', '__proto__', 'title'.repeat(20)])('%j stands for nothing', (typed) =>
  expect(closestName(typed, KNOWN)).toBeUndefined(),
);
