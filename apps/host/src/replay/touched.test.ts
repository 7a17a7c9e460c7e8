import { expect, test } from 'vitest';
import { touched } from './touched.ts';

test('who may change a path is known by the path, a folder around it, and what is in it', () => {
  const work = touched();
  work.add({ id: 'a', writes: ['src/a.ts'] });
  work.add({ id: 'b', writes: ['docs/**'], must_produce: ['out/x/y'] });
  expect(work.before(['src/a.ts'])).toBe('a');
  expect(work.before(['src'])).toBe('a');
  expect(work.before(['other', 'docs/deep/x.md'])).toBe('b');
  expect(work.before(['out/x'])).toBe('b');
  expect(work.before(['src/b.ts', 'source'])).toBeUndefined();
  expect(work.before([])).toBeUndefined();
  expect(work.before(undefined)).toBe('a');
});

test('brackets are spelled out in what is written, and stand for themselves in what must be produced', () => {
  const work = touched();
  work.add({ id: 'a', writes: ['app/[id]/page.tsx'], must_produce: ['lib/[id].ts'] });
  for (const path of ['app/[id]/page.tsx', 'app/d', 'app', 'lib/[id].ts'])
    expect([path, work.before([path])]).toEqual([path, 'a']);
  expect(work.before(['app/x/page.tsx', 'app/layout.tsx', 'lib/d.ts'])).toBeUndefined();
});

test('who does not say may change anything; who writes nothing or reviews changes nothing', () => {
  const work = touched();
  work.add({ id: 'reader', writes: [] });
  work.add({ id: 'judge', reviews: 'reader' });
  expect(work.before(undefined)).toBeUndefined();
  work.add({ id: 'open' });
  expect(work.before(['x'])).toBe('open');
  expect(work.before([])).toBeUndefined();
});
