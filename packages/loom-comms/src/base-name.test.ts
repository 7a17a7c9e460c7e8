import { expect, it } from 'vitest';
import { baseName } from './base-name.ts';

it.each([
  ['be-1', 'be-1'],
  ['be-1-2', 'be-1'],
  ['be-1-11', 'be-1'],
  ['be-1-1', undefined],
  ['be-12', undefined],
  ['be-1-2-3', undefined],
  ['fe', undefined],
])('LC-36: %s stands for %s', (name, role) => {
  expect(baseName(name, ['lead', 'be-1'])).toBe(role);
});
