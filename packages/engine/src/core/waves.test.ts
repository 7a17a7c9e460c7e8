import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareIds } from './id-order.ts';
import type { Task } from './task.ts';
import { partitionWaves } from './waves.ts';

const ids = (waves: Task[][]) => waves.map((wave) => wave.map(({ id }) => id));

describe('partitionWaves orders by (parallel_group, created_at, id)', () => {
  it('cuts maximal runs of one group; gaps in the numbers are fine', () => {
    const tasks: Task[] = [
      { id: 3, parallel_group: 7, created_at: '2026-01-02' },
      { id: 10, parallel_group: 7, created_at: '2026-01-01' },
      { id: 2, parallel_group: 7, created_at: '2026-01-01' },
      { id: 5, parallel_group: 1 },
      { id: 9, parallel_group: 1, status: 'complete' },
      { id: 1, parallel_group: null, status: 'abandoned' },
      { id: 4, parallel_group: 2, status: 'held' },
    ];
    expect(ids(partitionWaves(tasks))).toEqual([[5], [2, 10, 3]]);
  });

  it('an absent created_at is the moment the run starts: after every earlier instant', () => {
    const tasks: Task[] = [
      { id: 'a', parallel_group: 1 },
      { id: 'b', parallel_group: 1, created_at: '2026-01-01' },
    ];
    expect(ids(partitionWaves(tasks))).toEqual([['b', 'a']]);
  });

  it('ids break ties: numbers before strings, numbers by value, strings by code point', () => {
    const given = ['b', 10, '😀', 9, 'B', '\uffff', 'a', '10'];
    const tasks = given.map((id) => ({ id, parallel_group: 1 }));
    expect(ids(partitionWaves(tasks))).toEqual([[9, 10, '10', 'B', 'a', 'b', '\uffff', '😀']]);
  });

  it('is total and reproducible: any permutation gives the same waves', () => {
    const task = fc.record({
      id: fc.oneof(fc.string({ unit: 'binary' }), fc.integer()),
      parallel_group: fc.integer({ min: 1, max: 3 }),
      created_at: fc.constantFrom('2026-01-01', '2026-01-01T00:00:00Z', '2026-01-02', null),
    });
    fc.assert(
      fc.property(
        fc
          .uniqueArray(task, { selector: ({ id }) => id, minLength: 1 })
          .chain((tasks) =>
            fc.tuple(fc.constant(tasks), fc.shuffledSubarray(tasks, { minLength: tasks.length })),
          ),
        ([tasks, shuffled]) => {
          expect(partitionWaves(shuffled)).toEqual(partitionWaves(tasks));
        },
      ),
    );
  });

  it('compareIds is a total order', () => {
    const id = fc.oneof(fc.string({ unit: 'binary' }), fc.integer());
    fc.assert(
      fc.property(id, id, id, (a, b, c) => {
        expect(Math.sign(compareIds(a, b))).toBe(-Math.sign(compareIds(b, a)) + 0);
        if (compareIds(a, b) <= 0 && compareIds(b, c) <= 0)
          expect(compareIds(a, c)).toBeLessThanOrEqual(0);
        expect(compareIds(a, b) === 0).toBe(a === b);
      }),
    );
  });
});
