import { expect, test } from 'vitest';
import { pairReviews } from '../core/pairing.ts';
import { schedule } from '../core/schedule.ts';
import type { Task } from '../core/task.ts';
import { overlapWarnings } from './preview-overlaps.ts';

const warnings = (tasks: readonly Task[], under: 'parallel' | 'pipeline' = 'parallel') => {
  const pairing = pairReviews(tasks);
  return overlapWarnings(schedule(tasks, pairing), { pairing, schedule: under });
};

const task = (id: string, more: Partial<Task> = {}): Task => ({
  ...{ id, parallel_group: 1, reads: [], writes: [`${id}.txt`] },
  ...more,
});

test('tasks of one wave that may write the same are told apart from those of two', () => {
  const rows = [task('a', { writes: ['src/*.ts'] }), task('b', { writes: ['./SRC//deep/x.css'] })];
  expect(warnings(rows)).toEqual([
    {
      code: 'write-overlap',
      taskId: 'b',
      message: 'task "a" and task "b" of wave 1 may both write "src/deep/x.css" or in it',
    },
  ]);
  expect(warnings([rows[0] ?? task('a'), { ...task('b'), ...rows[1], parallel_group: 2 }])).toEqual(
    [],
  );
});

test('a task that reads what is written beside it does not see it', () => {
  const found = warnings([task('a', { reads: ['b.txt', 'a.txt'] }), task('b')]);
  expect(found).toMatchObject([{ code: 'read-overlap', taskId: 'a' }]);
  expect(found[0]?.message).toContain('which task "b" of the same wave may write');
});

test('without barriers a reader waits for a writer before it in its wave, and is waited for by one behind it', () => {
  const rows = (reads: readonly string[]) => [task('a'), task('b', { reads }), task('c')];
  const told = (reads: readonly string[]) =>
    warnings(rows(reads), 'pipeline').map(({ message }) => message.split(': ').at(-1));
  expect(told(['a.txt'])).toEqual(['it waits for that, and sees what is merged of it']);
  expect(told(['c.txt'])).toEqual(['that waits for it, so that it sees what was there before']);
  expect(told(['.'])).toEqual(['it waits for that, and sees what is merged of it']);
  expect(told(['b.txt', 'x'])).toEqual([]);
  const [barrier] = warnings(rows(['a.txt']));
  expect(barrier?.message).toMatch(/: it sees what was there before their wave$/u);
});

test('who does not say what it writes is told beside others that write, once for a wave', () => {
  const open = { writes: null };
  expect(warnings([task('a', open), task('b', { writes: [] })])).toEqual([]);
  const found = warnings([task('a', open), task('b', open), task('c')]);
  expect(found).toMatchObject([{ code: 'unstated-overlap', taskId: 'a' }]);
  expect(found[0]?.message).toMatch(/^wave 1 has 3 tasks that write, and task "a" and 1 more /u);
});

test('a reviewer neither writes nor is told that it reads its author’s work', () => {
  expect(warnings([task('a'), task('judge', { reviews: 'a', reads: ['a.txt'] })])).toEqual([]);
});

test('many are counted, and foreign names are shown as escapes', () => {
  const rows = Array.from({ length: 50 }, (_, at) => task(`\u001b${at}`, { writes: ['same'] }));
  const found = warnings(rows);
  expect(found).toHaveLength(20);
  expect(found.at(-1)?.message).toMatch(/\(and 29 more like it\)$/u);
  expect(found.map(({ message }) => message).join('')).not.toMatch(/\p{Cc}/u);
});

test('wide waves, deep paths and long chains need neither a stack nor pairs', () => {
  const deep = `${'d/'.repeat(20_000)}x`;
  const wide = Array.from({ length: 20_000 }, (_, at) => task(`${at}`, { writes: ['same'] }));
  expect(warnings([...wide, task('deep', { reads: [deep] })])).toHaveLength(20);
});
