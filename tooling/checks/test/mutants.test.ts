import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from '../src/mutants.ts';

const root = join(import.meta.dirname, '../../..');

it.each(MUTANTS)('the guard can still be broken: $guard', ({ file, find, replace }) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});
