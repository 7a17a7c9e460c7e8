import { expect, test } from 'vitest';
import { changesIn, productsIn } from './evidence.ts';

const HASH = 'a'.repeat(64);

test.each([
  undefined,
  null,
  'guard',
  7,
  [],
  [{ files: [] }],
  {},
  { files: {}, products: 'x', mismatches: 1 },
])('evidence without lists tells nothing: %j', (evidence) => {
  expect(changesIn(evidence)).toBeUndefined();
  expect(productsIn(evidence)).toBeUndefined();
});

test('a change is a row when it has a path and a known status; lines are counts or unknown', () => {
  const files = [
    { path: 'a.ts', status: 'added', insertions: 3, deletions: 0 },
    { path: 'b.png', status: 'modified' },
    { path: 'c', status: 'type-changed', insertions: -1, deletions: 1.5 },
    { path: 'd', status: 'deleted', insertions: '3', deletions: 2 ** 53 },
    { path: 'half \ud83d', status: 'added' },
    { path: '', status: 'added' },
    { path: 'x'.repeat(4097), status: 'added' },
    { path: 7, status: 'added' },
    { path: 'e', status: 'renamed' },
    { path: 'f', status: 'toString' },
    { status: 'added' },
    null,
    ['a.ts'],
    'a.ts',
  ];
  expect(changesIn({ files })).toEqual([
    { position: 0, path: 'a.ts', status: 'added', insertions: 3, deletions: 0 },
    { position: 1, path: 'b.png', status: 'modified', insertions: null, deletions: null },
    { position: 2, path: 'c', status: 'type-changed', insertions: null, deletions: null },
    { position: 3, path: 'd', status: 'deleted', insertions: null, deletions: null },
    { position: 4, path: 'half \ufffd', status: 'added', insertions: null, deletions: null },
  ]);
});

test('a product has the hash of the host, and the claim where that is another', () => {
  const evidence = {
    products: [
      { path: 'a', sha256: HASH, bytes: 5 },
      { path: 'b', sha256: HASH, bytes: 'many' },
      { path: 'a', sha256: HASH, bytes: 6 },
      { path: 'c', sha256: 'A'.repeat(64), bytes: 1 },
      { path: 'd' },
    ],
    mismatches: [
      { path: 'b', claimed: 'f00', found: HASH },
      { path: 'gone', claimed: 'x'.repeat(1000), found: null },
      { path: 'e', claimed: 7, found: null },
    ],
  };
  expect(productsIn(evidence)).toEqual([
    { path: 'a', sha256: HASH, bytes: 6, claimed: null },
    { path: 'b', sha256: HASH, bytes: null, claimed: 'f00' },
    { path: 'gone', sha256: null, bytes: null, claimed: 'x'.repeat(200) },
  ]);
});

test('no evidence makes more than two hundred rows of a kind', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => ({
    ...{ path: `${index}`, status: 'added', sha256: HASH, bytes: 1 },
  }));
  expect(changesIn({ files: many })).toHaveLength(200);
  expect(productsIn({ products: many })).toHaveLength(200);
});
