import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from './printable.ts';

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));

const never = [
  ...range(0x00, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  ...range(0xfff9, 0xfffb),
  ...range(0xe0000, 0xe007f),
  ...range(0xd800, 0xdfff),
  '\u00ad',
  '\u061c',
  '\u115f',
  '\u180e',
  '\u3164',
  '\ufeff',
  '\u{e0100}',
];

test('ordinary text of any script stays as it is', () => {
  const text =
    'plain "text" \\ with äöü, 日本語, עברית, \u{1f600}, \u2764\ufe0f and a no-break\u00a0space';
  expect(printable(text)).toBe(text);
});

test('every control, separator, bidi, zero-width and unpaired character is escaped', () => {
  for (const character of never) {
    const shown = printable(`a${character}b`);
    expect(shown).toMatch(/^a\\(?:x[0-9a-f]{2}|u\{[0-9a-f]{3,6}\})b$/);
  }
});

test('escapes name the character', () => {
  expect(printable('\x1b[2J\x07\n\t\x9b')).toBe('\\x1b[2J\\x07\\x0a\\x09\\x9b');
  expect(printable('\u202eabc\u2066\u200b\ufeff')).toBe('\\u{202e}abc\\u{2066}\\u{200b}\\u{feff}');
  expect(printable('half \ud83d pair')).toBe('half \\u{d83d} pair');
  expect(printable('\udc00')).toBe('\\u{dc00}');
});

test('text is cut to 200 code points unless told otherwise', () => {
  expect(printable('x'.repeat(200))).toBe('x'.repeat(200));
  expect(printable('x'.repeat(201))).toBe(`${'x'.repeat(199)}…`);
  expect(printable('\u{1f600}'.repeat(201))).toBe(`${'\u{1f600}'.repeat(199)}…`);
});

test('the length asked for is kept, and no escape is cut in two', () => {
  expect(printable('abcdef', 4)).toBe('abc…');
  expect(printable('abcd', 4)).toBe('abcd');
  expect(printable('a\x1bb', 5)).toBe('a…');
  expect(printable('a\x1bb', 6)).toBe('a\\x1bb');
  expect(printable('\x1b', 3)).toBe('…');
  expect(printable('abc', 1)).toBe('…');
});

test.each([
  [0, ''],
  [-5, ''],
  [2.9, 'a…'],
  [Number.NaN, 'abc'],
  [Number.POSITIVE_INFINITY, 'abc'],
])('a length of %d is no reason to throw', (length, shown) => {
  expect(printable('abc', length)).toBe(shown);
});

test('only the shown part of a very long text is looked at', () => {
  const long = 'x'.repeat(50_000_000);
  expect(printable(long, 3)).toBe('xx…');
});

test.each([
  [null, 'null'],
  [undefined, 'undefined'],
  [42, '42'],
  [true, 'true'],
  [7n, '7'],
  [2n ** 70n, '[bigint]'],
  [Symbol('a\x1bb'), 'Symbol(a\\x1bb)'],
  [['a'], '[list]'],
  [{ a: 1 }, '[object]'],
  [() => 1, '[function]'],
  [new TypeError('bad \x1b[0m'), 'TypeError: bad \\x1b[0m'],
  [Object.assign(new Error('x'), { message: 7 }), '[error]'],
])('a value that is not text has a name or a text (case %#)', (value, shown) => {
  expect(printable(value)).toBe(shown);
});

test('a foreign object runs none of its code, and nothing throws', () => {
  const boom = (): never => {
    throw new Error('ran');
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(printable({ toString: boom, [Symbol.toPrimitive]: boom })).toBe('[object]');
  expect(printable(Object.create(null))).toBe('[object]');
  expect(printable(proxy)).toBe('[object]');
  expect(printable(Object.defineProperty(new Error('x'), 'message', { get: boom }))).toBe(
    '[object]',
  );
});

test('whatever the text: one safe line, within the length, and stable when shown again', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...never), fc.string({ unit: 'binary', maxLength: 1 })),
    maxLength: 60,
  });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 80 }), (foreign, length) => {
      const shown = printable(foreign, length);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect([...shown].length).toBeLessThanOrEqual(length);
      expect(printable(shown, length)).toBe(shown);
    }),
    { numRuns: 2000 },
  );
});
