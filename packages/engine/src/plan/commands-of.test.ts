import { expect, test } from 'vitest';
import { commandsOf } from './commands-of.ts';

const task = (id: string | number, more: object = {}) => ({
  ...{ id, parallel_group: 1, title: 'T', description: 'd' },
  ...more,
});

test('every command that a run of the plan may execute is told, those of tasks that are over are not', () => {
  const plan = {
    ...{ goal: 'g', gate: 'npm test', worktree: { setup: ['npm ci', 'make'], copy: ['x'] } },
    tasks: [
      task('a', { verify: 'true' }),
      task(7, { verify: 'true' }),
      task('b', { verify: 'make b' }),
      task('c', { verify: 'rm -rf c', status: 'complete' }),
      task('d'),
    ],
  };
  expect(commandsOf(plan)).toEqual([
    { kind: 'gate', command: 'npm test' },
    { kind: 'setup', command: 'npm ci' },
    { kind: 'setup', command: 'make' },
    { kind: 'verify', command: 'true', tasks: ['a', 7] },
    { kind: 'verify', command: 'make b', tasks: ['b'] },
  ]);
  expect(commandsOf({ goal: 'g', tasks: [task('a')] })).toEqual([]);
});
