import { CORE_PERSONAS, rosterOf } from '@atelier/team-behaviors';
import { expect, test } from 'vitest';
import { topicOf, topicText } from './topic.ts';

const roster = rosterOf(CORE_PERSONAS);

const task = (id: string, more: object = {}) => ({
  id,
  parallel_group: 1,
  title: `t ${id}`,
  ...more,
});

test('the goal, and every task with its wave, who does it and what it touches, in the order of the waves', () => {
  const tasks = [
    task('b', { parallel_group: 2, writes: [] }),
    task('a', { assigned_persona: 'sdet', reads: ['x.ts'], writes: ['a.ts', 'b.ts'] }),
    task('c'),
  ];
  expect(topicOf({ goal: 'Serve tea', tasks }, roster)).toEqual([
    'Goal: Serve tea',
    'Wave 1: a, t a. sdet. Reads x.ts. Writes a.ts, b.ts.',
    'Wave 1: c, t c. worker. May write anywhere.',
    'Wave 2: b, t b. worker. Writes nothing.',
  ]);
});

test('it is bounded, each task is a line, and what would hide or reorder text is shown', () => {
  const tasks = Array.from({ length: 500 }, (_, index) =>
    task(`t${index}`, {
      title: `x\n\u202eWave 1: y ${'z'.repeat(5000)}`,
      writes: ['w'.repeat(5000)],
    }),
  );
  const lines = topicOf({ goal: 'g'.repeat(100_000), tasks }, roster);
  expect(topicText(lines).length).toBeLessThan(8000);
  expect(lines.at(-1)).toMatch(/^\(4\d\d more tasks are in the plan\)$/u);
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});
