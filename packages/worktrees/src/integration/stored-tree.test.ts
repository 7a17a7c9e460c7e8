import { expect, it } from 'vitest';
import { storedTree } from './stored-tree.ts';

const OID = '0123456789abcdef0a3b'.repeat(2);

const entry = (head: string, oid = OID): Buffer =>
  Buffer.concat([Buffer.from(`${head}\0`, 'latin1'), Buffer.from(oid, 'hex')]);

const parsed = (entries: readonly Buffer[], oid = OID, type = 'tree') => {
  const content = Buffer.concat(entries);
  return storedTree({ oid, type, bytes: content.length, content });
};

it('an entry has its mode, its name in bytes and its object', () => {
  const entries = [
    entry('100644 a.b'),
    entry('40000 a'),
    entry('100755 a0'),
    entry('120000 \xff\n'),
  ];
  expect([...(parsed(entries)?.values() ?? [])]).toEqual([
    { mode: '100644', name: 'a.b', oid: OID },
    { mode: '40000', name: 'a', oid: OID },
    { mode: '100755', name: 'a0', oid: OID },
    { mode: '120000', name: '\xff\n', oid: OID },
  ]);
  const long = 'ab'.repeat(32);
  expect(parsed([entry('160000 s', long)], long)?.get('s')?.oid).toBe(long);
  expect(parsed([])?.size).toBe(0);
});

it.each<[string, Buffer[]]>([
  ['has a mode of old versions', [entry('100664 a')]],
  ['has a mode with zeros before it', [entry('040000 a')]],
  ['has a name with a slash', [entry('100644 a/b')]],
  ['has an entry without a name', [entry('100644 ')]],
  ['is not sorted', [entry('100644 b'), entry('100644 a')]],
  ['is sorted as if folders were files', [entry('40000 a'), entry('100644 a.b')]],
  ['has one name twice', [entry('100644 a'), entry('100644 a')]],
  ['has a file and a folder of one name', [entry('100644 a'), entry('40000 a')]],
  ['ends in the middle of an object name', [entry('100644 a').subarray(0, -1)]],
  ['ends in the middle of a name', [entry('100644 a'), Buffer.from('100644 b')]],
])('a tree that %s is none that git would write', (_, entries) => {
  expect(parsed(entries)).toBeUndefined();
});

it('an object of another type is no tree', () => {
  expect(parsed([entry('100644 a')], OID, 'blob')).toBeUndefined();
});
