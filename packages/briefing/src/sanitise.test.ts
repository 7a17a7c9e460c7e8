import { expect, test } from 'vitest';
import { sanitise } from './sanitise.ts';

test.each([
  ['plain text', 'plain text'],
  ['a\tb\nc', 'a\tb\nc'],
  ['a\r\nb\rc\n\rd', 'a\nb\nc\n\nd'],
  ['bell \u0007 \u001b[2J \u0000 \u007f \u009b', 'bell \\x07 \\x1b[2J \\x00 \\x7f \\x9b'],
  ['\u202eabc\u2066\u200b\ufeff', '\\u{202e}abc\\u{2066}\\u{200b}\\u{feff}'],
  ['one\u2028two\u2029three\u0085\u000b\u000c', 'one\\u{2028}two\\u{2029}three\\x85\\x0b\\x0c'],
  ['half \ud83d pair \udc00', 'half \ufffd pair \ufffd'],
  ['e\u0301 \u212b \u037e', 'é Å ;'],
  ['\u0007\u0301', '\\x07\u0301'],
  ['if (a < b && c > "d") {}', 'if (a < b && c > "d") {}'],
  ['日本 ❤️ 👍', '日本 ❤️ 👍'],
  ['', ''],
])('%j reads %j', (foreign, text) => {
  expect(sanitise(foreign, 100)).toEqual({ text, cut: 0 });
});

test('code points are counted before the escaping, and none is split', () => {
  expect(sanitise('👍👍👍', 2)).toEqual({ text: '👍👍', cut: 1 });
  expect(sanitise('\u0007\u0007\r\n\u0007', 3)).toEqual({ text: '\\x07\\x07\n', cut: 1 });
});

test('ten million characters are no trouble', () => {
  expect(sanitise('x\u0007'.repeat(5_000_000), 10)).toEqual({
    text: 'x\\x07x\\x07x\\x07x\\x07x\\x07',
    cut: 9_999_990,
  });
});
