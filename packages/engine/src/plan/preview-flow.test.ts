import { expect, test } from 'vitest';
import { upstreamEdges } from '../core/edges.ts';
import { claimsOf, conflict } from '../core/order/claims.ts';
import { pairReviews } from '../core/pairing.ts';
import { schedule } from '../core/schedule.ts';
import type { Task } from '../core/task.ts';
import { type Flow, flowOf } from './preview-flow.ts';

const flow = (tasks: readonly Task[]): Record<string, Flow> => {
  const pairing = pairReviews(tasks);
  const waves = schedule(tasks, pairing);
  return Object.fromEntries(flowOf(waves, { edges: upstreamEdges(tasks), pairing }));
};

const task = (id: string, parallel_group: number, more: Partial<Task> = {}): Task => ({
  ...{ id, parallel_group, reads: [], writes: [`${id}.txt`] },
  ...more,
});

test('a task waits no longer than for its upstreams and what it conflicts with', () => {
  const found = flow([
    task('a', 1),
    task('b', 1),
    task('c', 2, { reads: ['a.txt'] }),
    task('d', 3, { writes: ['B.TXT'] }),
    task('e', 3, { depends_on: ['c'] }),
    task('f', 3, { depends_on: ['a', 'b'] }),
    task('g', 4),
  ]);
  expect(found).toEqual({
    a: { after_wave: null },
    b: { after_wave: null },
    c: { after_wave: 0, early: true },
    d: { after_wave: 0, early: true },
    e: { after_wave: 1 },
    f: { after_wave: 0, early: true },
    g: { after_wave: null, early: true },
  });
});

test('a write after a read is a conflict, two reads are none', () => {
  const found = flow([
    task('a', 1, { reads: ['src/x'] }),
    task('b', 2, { reads: ['src'] }),
    task('c', 3, { writes: ['src/**/*.ts'] }),
  ]);
  expect(found['b']).toEqual({ after_wave: null, early: true });
  expect(found['c']).toEqual({ after_wave: 1 });
});

test('who does not say what it reads or writes is held to the barrier, and holds the others', () => {
  const found = flow([
    task('a', 1),
    task('b', 2, { reads: null }),
    task('c', 3, { writes: null }),
    task('d', 4),
    task('e', 5, { reads: null, writes: [] }),
  ]);
  expect(found).toEqual({
    a: { after_wave: null },
    b: { after_wave: 0, unstated: ['reads'] },
    c: { after_wave: 1, unstated: ['writes'] },
    d: { after_wave: 2 },
    e: { after_wave: 3, unstated: ['reads'] },
  });
});

test('a reviewer goes with its author, which waits for what the review needs', () => {
  const found = flow([
    task('a', 1),
    task('b', 1),
    task('c', 2),
    task('judge', 3, { reviews: 'c', reads: ['a.txt'], writes: null }),
  ]);
  expect(found['c']).toEqual({ after_wave: 0, early: true });
  expect(found).not.toHaveProperty('judge');
});

test('it agrees with a naive look at every pair', () => {
  let seed = 7;
  const roll = (sides: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * sides);
  };
  const PATHS = ['a', 'a/b', 'a/b/c.ts', 'a/*.ts', 'd', 'd/e', 'F', 'f/g', '**/h'];
  const some = () => Array.from({ length: roll(3) }, () => PATHS[roll(PATHS.length)] ?? 'a');
  let conflicts = 0;
  let early = 0;
  for (let round = 0; round < 300; round += 1) {
    const tasks = Array.from({ length: 2 + roll(9) }, (_, at) => {
      const more = roll(8);
      return task(`t${at}`, 1 + roll(4), {
        reads: more === 0 ? null : some(),
        writes: more === 1 ? null : some(),
      });
    });
    const edges = upstreamEdges(tasks);
    const waves = schedule(tasks, pairReviews(tasks));
    const found = flow(tasks);
    for (const [wave, { tasks: own }] of waves.entries())
      for (const one of own) {
        const needs = (other: Task) =>
          edges.get(`${one.id}`)?.some(({ upstream }) => upstream === other.id) ||
          conflict(claimsOf(one), claimsOf(other));
        const earlier = waves.slice(0, wave);
        const after = earlier.findLastIndex((each) => each.tasks.some(needs));
        conflicts += after >= 0 ? 1 : 0;
        const isEarly = wave > 0 && !earlier.at(-1)?.tasks.every(needs);
        early += isEarly ? 1 : 0;
        expect(found[`${one.id}`]?.after_wave).toBe(after < 0 ? null : after);
        expect(found[`${one.id}`]?.early ?? false).toBe(isEarly);
      }
  }
  expect(conflicts).toBeGreaterThan(200);
  expect(early).toBeGreaterThan(200);
});
