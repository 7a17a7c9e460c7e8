import { describe, expect, it } from 'vitest';
import { type Streak, streakWith, tripped } from './breaker.ts';
import { CAUSES } from './causes.ts';
import type { Closure, FailCause } from './closure.ts';

const failed = (cause: FailCause): Closure => ({ kind: 'failed', cause, detail: 'x' });
const rejected: Closure = { kind: 'rejected', field: 'status', detail: 'x' };

const streakOf = (...ends: readonly (readonly [task: string, closure: Closure])[]) =>
  ends.reduce<Streak | undefined>(
    (streak, [task, closure]) => streakWith(streak, task, closure),
    undefined,
  );

describe('the breaker', () => {
  it('parks when the same cause comes three times in a row across tasks, and names it', () => {
    const streak = streakOf(['a', failed('exit')], ['b', failed('exit')], ['a', failed('exit')]);
    expect(tripped(streak, 3)).toEqual({
      cause: 'breaker',
      detail: '3 attempts in a row ended the same way, across tasks: exit',
    });
  });

  it.each([
    [
      'two',
      [
        ['a', failed('exit')],
        ['b', failed('exit')],
      ],
    ],
    [
      'one task alone, which has its own budget',
      [
        ['a', failed('exit')],
        ['a', failed('exit')],
        ['a', failed('exit')],
      ],
    ],
    [
      'another cause between',
      [
        ['a', failed('exit')],
        ['b', failed('timeout')],
        ['c', failed('exit')],
        ['d', failed('exit')],
      ],
    ],
    [
      'a verdict of a review between',
      [
        ['a', failed('exit')],
        ['b', failed('review')],
        ['c', failed('exit')],
        ['d', failed('exit')],
      ],
    ],
  ] as const)('lets be: %s', (_, ends) => {
    expect(tripped(streakOf(...ends), 3)).toBeUndefined();
  });

  it('counts refused envelopes as a cause of their own', () => {
    const streak = streakOf(['a', rejected], ['b', rejected], ['c', rejected]);
    expect(tripped(streak, 3)?.detail).toContain('invalid envelope');
  });

  it('is off when no number is set', () => {
    const ends = [...'abcdef'].map((task) => [task, failed('exit')] as const);
    expect(tripped(streakOf(...ends))).toBeUndefined();
  });

  it('never counts what parks by itself, what a person did, or a verdict about work', () => {
    const counted = Object.entries(CAUSES).filter(([, { breaks }]) => breaks);
    for (const [, { parks, whose }] of counted) {
      expect(parks).toBeUndefined();
      expect(['task', 'world']).toContain(whose);
    }
  });
});
