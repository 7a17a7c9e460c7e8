import { expect, it } from 'vitest';
import { mergeTrees } from './merge-trees.ts';

const tree = (files: Record<string, string>) => new Map(Object.entries(files));
const base = tree({ a: '1', b: '1', c: '1' });

it.each([
  [
    'both sides',
    { a: '2', b: '1', c: '1' },
    { a: '1', b: '2', c: '1' },
    { a: '2', b: '2', c: '1' },
  ],
  [
    'the same change',
    { a: '2', b: '1', c: '1' },
    { a: '2', b: '1', c: '1' },
    { a: '2', b: '1', c: '1' },
  ],
  [
    'a deletion',
    { a: '1', b: '1', c: '1' },
    { a: '1', c: '1', d: '1' },
    { a: '1', c: '1', d: '1' },
  ],
])('takes %s', (_name, ours, theirs, merged) => {
  expect(mergeTrees(base, tree(ours), tree(theirs))).toEqual({ tree: tree(merged), conflicts: [] });
});

it('two changes of one file conflict, and so do a change and a deletion, and two additions', () => {
  const ours = tree({ a: '2', c: '1', d: '1' });
  const theirs = tree({ a: '3', b: '2', c: '1', d: '2' });
  expect(mergeTrees(base, ours, theirs)).toEqual({ tree: ours, conflicts: ['a', 'b', 'd'] });
});
