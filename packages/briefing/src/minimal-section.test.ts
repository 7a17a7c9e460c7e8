import { expect, test } from 'vitest';
import { isMinimal, MINIMAL } from './minimal-section.ts';

test.each([
  'tdd',
  'tdd:green',
  'tdd:clean',
  'TDD:Green',
  ' tdd:green\n',
  'tdd-green',
  'tdd-clean',
  'dev:tdd',
  'dev-tdd',
  'dev:tdd-green',
  'tdd:green:late',
  'tdd:in-progress',
])('%j asks for the smallest change', (phase) => {
  expect(isMinimal(phase)).toBe(true);
});

test.each([
  undefined,
  '',
  'implement',
  'tdd:red',
  'tdd-red',
  'tdd:red:late',
  'dev:review',
  'tddish',
  'tdd-other',
  'x:tdd',
  'dev:dev:tdd',
  'plan:approved',
  'tdd\n# Rules',
])('%j does not', (phase) => {
  expect(isMinimal(phase)).toBe(false);
});

test('HO-26: small, but every requirement, and nothing that keeps it safe is left out', () => {
  expect(MINIMAL).toContain('meets every requirement');
  for (const kept of ['validation', 'error handling', 'security']) expect(MINIMAL).toContain(kept);
});
