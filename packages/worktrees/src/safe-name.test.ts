import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeName, safeRunName } from './safe-name.ts';

const { tasks } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../test/fixtures/O-22-ids.json'), 'utf8'),
) as { tasks: { id: string }[] };

it.each([
  ...tasks.map(({ id }) => id),
  '',
  '-',
  'a/b',
  'a_b',
  'A',
  'a',
  '\ud800',
  'con',
  'x'.repeat(500),
])('O-22: %j becomes one part of a ref and of a path', (id) => {
  const name = safeName(id);
  expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
  expect(name.length).toBeLessThan(50);
  execFileSync('git', ['check-ref-format', `refs/atelier/${name}/${name}/1`]);
});

it('O-22: ids that differ in a case, a separator or half a surrogate pair keep different names', () => {
  const ids = [
    'a/b',
    'a_b',
    'a b',
    'A/B',
    'api',
    'API',
    'Api',
    '\ud800',
    '\ud801',
    '\ufffd',
    '.',
    '..',
  ];
  expect(new Set(ids.map((id) => safeName(id))).size).toBe(ids.length);
  expect(safeName(7)).toBe(safeName('7'));
});

it('is injective for any two texts', () => {
  const text = fc.string({ unit: 'binary' });
  fc.assert(fc.property(text, text, (a, b) => (safeName(a) === safeName(b)) === (a === b)));
});

it('the name of a run that is safe stays as it is, and can not be had by another run', () => {
  expect(safeRunName('20261129-194247-c958f7')).toBe('20261129-194247-c958f7');
  for (const odd of [
    'Run',
    'a b',
    '../x',
    '-rf',
    'x.lock',
    'a--b',
    'run-0123456789ab',
    '0123456789ab',
    'a'.repeat(41),
  ])
    expect(safeRunName(odd)).toMatch(/(^|-)[0-9a-f]{12}$/);
  expect(safeRunName('run-0123456789ab')).not.toBe('run-0123456789ab');
});
