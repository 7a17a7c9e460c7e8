import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from './scan-json.ts';

const found = (json: string) => {
  JSON.parse(json);
  return scanJson(json).duplicates.map(({ key, line, column }) => `${key} ${line}:${column}`);
};

test('a repeated key is found, with its place', () => {
  expect(found('{"a": 1,\n  "b": {"a": 2, "c": 3},\n  "a": 3}')).toEqual(['a 3:3']);
  expect(found('[{"x":1,"x":2},{"x":3,"x":{"x":4}}]')).toEqual(['x 1:9', 'x 1:23']);
});

test('one key in several spellings is one key', () => {
  expect(found('{"a":1,"\\u0061":2,"\\"{,":3,"\\"{,":4}')).toEqual(['a 1:8', '"{, 1:28']);
});

test('a key three times is found twice', () => {
  expect(found('{"a":1,"a":2,"a":3}')).toHaveLength(2);
});

test('values, list elements and keys of other objects are not keys', () => {
  expect(found('{"a":"a","b":["a","a",{"a":"b"},"b"],"c":{"a":1},"d":"d"}')).toEqual([]);
  expect(found('["a","a"]')).toEqual([]);
  expect(found('"a"')).toEqual([]);
});

test('names of object members are keys like any other', () => {
  expect(found('{"__proto__":1,"toString":2}')).toEqual([]);
  expect(found('{"__proto__":1,"__proto__":2}')).toEqual(['__proto__ 1:16']);
});

test('what JSON.stringify writes repeats nothing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      expect(found(JSON.stringify(value, null, indent))).toEqual([]);
    }),
  );
});

test('depth counts what is open at once', () => {
  expect(scanJson('7').depth).toBe(0);
  expect(scanJson('[[],[[]],{"a":"[[[["}]').depth).toBe(3);
  expect(scanJson('['.repeat(100_000) + ']'.repeat(100_000)).depth).toBe(100_000);
});
