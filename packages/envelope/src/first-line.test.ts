import { expect, test } from 'vitest';
import { firstLine } from './first-line.ts';

const named = (texts: readonly string[]): [string, string][] =>
  texts.map((text) => [
    [...text].map((character) => `U+${character.codePointAt(0)?.toString(16)}`).join(' '),
    text,
  ]);

const breaks = ['\n', '\r', '\r\n', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'];

const others = [
  '\t',
  ' ',
  '\0',
  '\b',
  '\x1b',
  '\x1f',
  '\x84',
  '\x86',
  '\u2027',
  '\u202a',
  '\ufeff',
];

test.each(named(breaks))('decision 22: %s ends the first line', (_, lineBreak) => {
  expect(firstLine(`one${lineBreak}two\nthree`)).toBe('one');
  expect(firstLine(`${lineBreak}two`)).toBe('');
  expect(firstLine(`one${lineBreak}`)).toBe('one');
});

test.each(named(others))('decision 22: %s is part of the line', (_, character) => {
  expect(firstLine(`one${character}two`)).toBe(`one${character}two`);
});

test('text without a break, or without anything, is its own first line', () => {
  expect(firstLine('one')).toBe('one');
  expect(firstLine('')).toBe('');
});
