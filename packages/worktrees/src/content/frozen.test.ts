import { expect, it } from 'vitest';
import { isFrozen } from './frozen.ts';

it('means a path and all below it, and no other of the same beginning', () => {
  const frozen = isFrozen(['/w/node_modules', '/w/sub']);
  const cases: readonly [string, boolean][] = [
    ['/w/node_modules', true],
    ['/w/node_modules/a/b.js', true],
    ['/w/sub/', true],
    ['/w/node_modules2', false],
    ['/w/node', false],
    ['/w', false],
  ];
  for (const [path, expected] of cases) expect(frozen(Buffer.from(path)), path).toBe(expected);
  expect(isFrozen([])(Buffer.from('/w'))).toBe(false);
});
