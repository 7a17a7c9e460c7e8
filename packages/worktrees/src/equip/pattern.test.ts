import { expect, it } from 'vitest';
import { patternOf } from './pattern.ts';

it.each([
  '',
  './',
  '/etc/passwd',
  'C:/x',
  '../x',
  'a/../../x',
  '.git',
  '.GIT/config',
  'sub/.git/hooks',
  'a\0b',
  'x'.repeat(301),
  '*a'.repeat(4),
  '*/'.repeat(9),
])('refuses %j, which could name something outside the clone or its git dir', (text) => {
  expect(() => patternOf(text)).toThrow(expect.objectContaining({ code: 'INVALID_EQUIPMENT' }));
});

it('names the pattern it refuses, without what could move a cursor', () => {
  expect(() => patternOf('../\u001b[2J')).toThrow('../\\u{1b}[2J');
});

it.each([
  ['.env', '.env', true],
  ['.env', 'sub/.env', false],
  ['**/.env*', '.env.local', true],
  ['**/.env*', 'a/b/.env', true],
  ['./.venv/', '.venv/lib/x', true],
  ['packages/*/node_modules', 'packages/a/node_modules', true],
  ['packages/*/node_modules', 'packages/a/node_modules/x/y', true],
  ['packages/*/node_modules', 'packages/a/b/node_modules', false],
  ['{a,b/c}', 'b/c', true],
  ['!a', 'b', false],
])('%s selects %s: %s', (text, path, selected) => {
  expect(patternOf(text).selects(path)).toBe(selected);
});

it.each([
  ['.env', 'node_modules', false],
  ['packages/*/.env', 'packages', true],
  ['packages/*/.env', 'packages/a', true],
  ['packages/*/.env', 'packages/a/node_modules', false],
  ['packages/*/.env', 'node_modules', false],
  ['**/.env', 'node_modules', true],
  ['{a/b,c}', 'a', true],
])('%s may reach into %s: %s', (text, folder, may) => {
  expect(patternOf(text).mayReach(folder)).toBe(may);
});

it('answers fast for a pattern that is built to be slow', () => {
  expect(patternOf(`${'+(a|aa)'.repeat(20)}b`).selects('a'.repeat(5_000))).toBe(false);
  expect(patternOf(`${'*a'.repeat(3)}b`).selects('a'.repeat(255))).toBe(false);
});
