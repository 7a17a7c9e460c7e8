import { expect, test } from 'vitest';
import { comparePositions, type Position, positionText } from './position.ts';

test('a position reads like an expression', () => {
  expect(positionText([])).toBe('');
  expect(positionText(['tasks', 3, 'depends_on', 0])).toBe('tasks[3].depends_on[0]');
  expect(positionText(['tasks', 0, 'a key\u001b'])).toBe('tasks[0]["a key\\x1b"]');
});

test('positions are ordered as the format lists keys, indices by value, unknown keys last', () => {
  const ordered: Position[] = [
    [],
    ['goal'],
    ['budget'],
    ['budget', 'usd'],
    ['tasks'],
    ['tasks', 2],
    ['tasks', 2, 'id'],
    ['tasks', 2, 'depends_on', 9],
    ['tasks', 2, 'depends_on', 10],
    ['tasks', 2, 'attempts'],
    ['tasks', 2, 'alpha'],
    ['tasks', 2, 'beta'],
    ['tasks', 10],
    ['another'],
  ];
  expect([...ordered].reverse().sort(comparePositions)).toEqual(ordered);
});
