import { expect, it } from 'vitest';
import { needsShell } from './needs-shell.ts';

it('a shell is needed for a gate or any verify that says something', () => {
  expect(needsShell([{}, { verify: 'npm test' }])).toBe(true);
  expect(needsShell([], 'npm test')).toBe(true);
  expect(needsShell([{}, { verify: ' ' }], '')).toBe(false);
});
