import { expect, test } from 'vitest';
import { literal } from './literal.ts';

test.each([
  ['src/a.ts', '"src/a.ts"'],
  [7, '"7"'],
  ['a\nb"\\', '"a\\nb\\"\\\\"'],
  ['ä日', '"ä日"'],
  ['\u202e\u007f\u2028', '"\\u202e\\u007f\\u2028"'],
  ['\u{e0041}', '"\\udb40\\udc41"'],
  ['\ud83d', '"\\ud83d"'],
])('%j is %s, and decodes to what it was', (name, text) => {
  expect(literal(name)).toBe(text);
  expect(JSON.parse(text)).toBe(String(name));
});
