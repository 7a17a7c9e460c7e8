import fc from 'fast-check';
import { expect, it } from 'vitest';
import { joinNul, splitNul } from './nul-list.ts';

it('reads back any names that a file can have', () => {
  const name = fc
    .uint8Array({ minLength: 1, maxLength: 20 })
    .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0 ? 1 : byte))));
  fc.assert(
    fc.property(fc.array(name), (names) => {
      expect(splitNul(joinNul(names)).map(String)).toEqual(names.map(String));
    }),
  );
});
