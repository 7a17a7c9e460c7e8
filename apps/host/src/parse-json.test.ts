import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

test('JSON is parsed', () => {
  expect(parseJson('p.json', '{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } });
});

test('a repeated key is refused, with file, line and column', () => {
  expect(parseJson('p.json', '{\n "a":1,\n "a":2}')).toMatchObject({
    ok: false,
    issues: [{ code: 'duplicate-key', path: 'p.json:3:2' }],
  });
});

test.each(['', '{', "{'a':1}", '{"a":1,}', 'NaN'])('%j is no JSON', (text) => {
  expect(parseJson('p.json', text)).toMatchObject({ ok: false, issues: [{ code: 'syntax' }] });
});

test('nesting is limited, as deep values would exhaust the stack of a later reader', () => {
  const nested = (depth: number) => parseJson('p.json', '['.repeat(depth) + ']'.repeat(depth));
  expect(nested(100)).toMatchObject({ ok: true });
  expect(nested(101)).toMatchObject({ ok: false, issues: [{ code: 'too-deep' }] });
  expect(nested(200_000)).toMatchObject({ ok: false, issues: [{ code: 'too-deep' }] });
});
