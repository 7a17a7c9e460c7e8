import type { Task } from '@atelier/engine';
import { expect, test } from 'vitest';
import { rangeOf } from './range-of.ts';

const CHOICE = { agent: 'command:x', mode: 'balanced', asked: 'm' } as const;

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ id, parallel_group: 1, assigned_persona: 'ada', reads: [], writes: [] },
  ...more,
});

test('only what will be dispatched is estimated', () => {
  const free = task('free', { attempts: 2 });
  const lost = [
    task('gone', { status: 'abandoned', writes: ['src'] }),
    task('over', { status: 'complete' }),
    task('reader', { parallel_group: 2, reads: ['src/a.ts'] }),
    task('behind', { parallel_group: 3, depends_on: ['reader'] }),
    task('spent', { attempts: 5 }),
    task('author', { assigned_persona: 'ada' }),
    task('judge', { assigned_persona: 'eve', reviews: 'author', attempts: 5 }),
  ];
  const range = rangeOf([...lost, free], CHOICE, 5);
  expect(range).toEqual(rangeOf([free], CHOICE, 5));
  expect(range.tiers).toMatchObject([{ tasks: 1, attempts: 3 }]);
});
