import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonObject, objectTexts } from './json-lines.ts';

const lines = (text: string, mark = '{') =>
  [...objectTexts(text, mark)].map(jsonObject).filter((object) => object !== undefined);
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('objectTexts', () => {
  it.each([
    ['alone', '{"a":1}'],
    ['with a line feed', '{"a":1}\n'],
    ['with a Windows line end', 'noise\r\n{"a":1}\r\n'],
    ['after a progress line that was written over', '10 %\r100 %\r{"a":1}'],
    ['behind a byte order mark', '\ufeff{"a":1}'],
    ['O-05: between bracketed-paste codes', '\x1b[?2004h{"a":1}\n\x1b[?2004l'],
    ['in colour', '\x1b[32m {"a":1} \x1b[0m'],
    ['behind a window title', '\x1b]0;agent\x07{"a":1}\x1b]0;\x1b\\'],
    ['O-05: after a warning with braces of its own', ' WARN deprecated {"see":"docs"}\n{"a":1}'],
    ['O-05: before a notice', '{"a":1}\nUpdate available 1.2.3 -> 1.2.4\n'],
    ['next to lists and texts', '[{"b":1}]\n"{}"\nnull\n{"a":1}'],
  ])('finds an object %s', (_, text) => expect(lines(text)).toEqual([{ a: 1 }]));

  it.each([
    ['cut', '{"a":1'],
    ['over two lines', '{"a":\n1}'],
    ['quoted in prose', 'I wrote {"a":1}'],
    ['followed by more', '{"a":1} done'],
    ['twice on a line', '{"a":1}{"a":1}'],
    ['in a fence', '```json {"a":1} ```'],
  ])('passes over an object that is %s', (_, text) => expect(lines(text)).toEqual([]));

  it('does not break a text at separators that JSON allows inside', () => {
    expect(lines('{"a":"one\u2028two\u2029\u0085"}')).toEqual([{ a: 'one\u2028two\u2029\u0085' }]);
  });

  it('gives every object back that is alone on its line, whatever stands around', () => {
    const noise = fc.string().map((text) => text.replace(/[\r\n]/g, ' ').replace(/^\s*\{/, 'x'));
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, object)), (pairs) => {
        const text = pairs.map(([said, one]) => `${said} :\n${JSON.stringify(one)}\n`).join('');
        const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
        expect(lines(text)).toEqual(pairs.map(([, one]) => plain(one)));
      }),
    );
  });

  it('does not take long over a line that is nearly noise', () => {
    expect(lines(`${'\x1b['.repeat(200_000)}x{}\n${'\x1b]'.repeat(200_000)}{}`)).toEqual([]);
  });

  it('gives only lines that hold the mark, each once', () => {
    const text = '{"a":1}\n{"b":"x","c":"x"}\r\n{"x":2}\r{"a":2}\n';
    expect(lines(text, '"x"')).toEqual([{ b: 'x', c: 'x' }, { x: 2 }]);
    expect(lines(text, '"y"')).toEqual([]);
  });

  it('passes over a line of more than 1 MiB, and takes one of just that', () => {
    const sized = (length: number) => `{"a":"${'x'.repeat(length - 8)}"}`;
    expect(sized(1024 * 1024)).toHaveLength(1024 * 1024);
    expect(lines(sized(1024 * 1024))).toHaveLength(1);
    expect(lines(`${sized(1024 * 1024 + 1)}\n{"a":1}`)).toEqual([{ a: 1 }]);
  });

  it('passes over millions of lines that hold no mark, or no object', () => {
    expect(lines('{}\n'.repeat(10_000_000), '"a"')).toEqual([]);
    expect(lines('"a"\n'.repeat(1_000_000), '"a"')).toEqual([]);
  }, 20_000);
});

describe('jsonObject', () => {
  it('takes an object only', () => {
    for (const text of ['', '[]', 'null', '1', '"x"', '{"a":1', '{} {}'])
      expect(jsonObject(text)).toBeUndefined();
    expect(jsonObject(' \ufeff{}')).toBeUndefined();
    expect(jsonObject('\ufeff{"a":\n1}\n')).toEqual({ a: 1 });
  });

  it('keeps a key named __proto__ a key', () => {
    const object = jsonObject('{"__proto__":{"status":"done"}}');
    expect(Object.hasOwn(object ?? {}, '__proto__')).toBe(true);
    expect(object?.['status']).toBeUndefined();
  });

  it('refuses what is nested more than 500 deep before it is parsed', () => {
    expect(jsonObject(nested(500))).toBeDefined();
    expect(jsonObject(nested(501))).toBeUndefined();
    expect(jsonObject(nested(4_000_000))).toBeUndefined();
    expect(jsonObject(`${'{"a":'.repeat(501)}1${'}'.repeat(501)}`)).toBeUndefined();
  });

  it('counts levels, not brackets: neither side by side nor inside strings', () => {
    expect(jsonObject(`{"a":[${'[],'.repeat(1_000)}[]]}`)).toBeDefined();
    const a = `\\"${'[{'.repeat(1_000)}\\`;
    expect(jsonObject(JSON.stringify({ a, [a]: a }))).toEqual({ a, [a]: a });
  });
});
