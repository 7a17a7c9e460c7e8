import { expect, test } from 'vitest';
import { CLOSURE_TOKENS, isClosureToken, TERMINAL_ONLY } from './closure.ts';

test('seed check 4: exactly four closure tokens', () => {
  expect([...CLOSURE_TOKENS]).toEqual(['done', 'blocked', 'abandoned', 'needs-input']);
});

test('only done and abandoned end a task', () => {
  expect([...TERMINAL_ONLY]).toEqual(['done', 'abandoned']);
});

test('the lists can not be changed by whoever imports them', () => {
  expect(() => Reflect.apply(Array.prototype.push, CLOSURE_TOKENS, ['failed'])).toThrow(TypeError);
  expect(() => Reflect.apply(Array.prototype.push, TERMINAL_ONLY, ['held'])).toThrow(TypeError);
});

test.each(['failed', 'Done', 'done ', '', 'toString', null, undefined, 0, ['done']])(
  'decision 1: %j is not a closure token',
  (word) => {
    expect(isClosureToken(word)).toBe(false);
  },
);
