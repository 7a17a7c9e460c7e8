import type { RunState, Task, TaskState } from '@atelier/engine';
import { expect, test } from 'vitest';
import { standingOf } from './standing-of.ts';

const stateOf = (
  tasks: readonly (Partial<TaskState> & { readonly task: Task })[],
  lost: readonly (readonly [string, string])[] = [],
): RunState =>
  ({
    tasks: new Map(tasks.map((one) => [`${one.task.id}`, one])),
    lostUpstream: new Map(lost),
  }) as unknown as RunState;

const tell = (given: Partial<TaskState>, now: Partial<Task> = {}, lost?: string) => {
  const task: Task = { id: 'a', title: 't', created_at: '2026-01-01T00:00:00Z' };
  const state = stateOf([{ task, ...given }], lost === undefined ? [] : [['a', lost]]);
  const tasks = [{ ...task, created_at: '2027-01-01T00:00:00Z', ...now }];
  const found = standingOf(state, { tasks, maxAttempts: 3 }).get('a');
  return found && `${found.fate}: ${found.why}`;
};

test('what has ended is kept', () => {
  expect(tell({ phase: 'complete', attempts: 2 })).toBe('kept: merged, by attempt 2');
  const from = { runId: 'old', attempt: 1 };
  expect(tell({ phase: 'complete', attempts: 0, replayedFrom: from })).toBe(
    'kept: it is what run old has merged',
  );
  expect(tell({ phase: 'held', attempts: 1 })).toMatch(/^kept/u);
  const abandonment = {
    by: 'engine',
    category: 'capacity',
    lastStatus: 'x',
    upstreamId: null,
  } as const;
  expect(tell({ phase: 'abandoned', attempts: 1, abandonment })).toBe(
    'kept: it stays abandoned: capacity',
  );
});

test('what is in flight goes on, unless its text has changed', () => {
  expect(tell({ phase: 'accepted', attempts: 1 })).toMatch(/^continues: accepted/u);
  expect(tell({ phase: 'reviewing', attempts: 1 })).toMatch(/^continues: .* its reviews go on$/u);
  expect(tell({ phase: 'running', attempts: 2 })).toMatch(/^continues: attempt 2 goes on where /u);
  const replied = { reply: {} } as NonNullable<TaskState['replied']>;
  expect(tell({ phase: 'running', attempts: 2, replied })).toMatch(
    /^continues: .* its checks go on$/u,
  );
  expect(tell({ phase: 'running', attempts: 2 }, { title: 'u' })).toMatch(
    /^rerun: its text has changed/u,
  );
});

test('what waits is done again with the attempts that are left, and given up without', () => {
  const closure = { kind: 'failed', cause: 'lost', detail: 'gone' } as const;
  expect(tell({ phase: 'pending', attempts: 1, closure })).toBe(
    'rerun: attempt 2 of 3: the last ended lost: gone',
  );
  expect(tell({ phase: 'pending', attempts: 3, closure })).toBe(
    'abandon: its 3 attempts are spent',
  );
  expect(tell({ phase: 'pending', attempts: 0 }, {}, 'b')).toBe(
    'abandon: it builds on task b, which is abandoned',
  );
  expect(tell({ phase: 'pending', attempts: 0 })).toBeUndefined();
});
