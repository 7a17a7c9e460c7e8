import { expect, it } from 'vitest';
import { shown, shownNames } from './shown.ts';

it('escapes what could act on a terminal or hide text', () => {
  expect(shown('a\u001b[2Jb\u202ec\n')).toBe('a\\u{1b}[2Jb\\u{202e}c\\u{a}');
});

it('is bounded, and says that it was cut', () => {
  expect(shown('x'.repeat(1_000_000), 10)).toBe(`${'x'.repeat(10)}…`);
});

it('counts the names that it leaves out', () => {
  expect(shownNames(['a', 'b'])).toBe('a, b');
  expect(shownNames(Array.from({ length: 20 }, (_, at) => `n${at}`))).toMatch(/n7 and 12 more$/);
});
