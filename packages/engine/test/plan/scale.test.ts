import { expect, test, vi } from 'vitest';
import { upstreamEdges } from '../../src/core/edges.ts';
import { preflight } from '../../src/core/preflight.ts';
import { taskIssues } from '../../src/core/task-issues/task-issues.ts';
import { previewPlan, validatePlan } from '../../src/plan/index.ts';
import { planOf } from './plan-of.ts';

// Whole hosts, or plans of 100,000 tasks, on machines that may be slow.
vi.setConfig({ testTimeout: 240_000 });

const SIZE = 100_000;

const rows = (row: (index: number) => object) =>
  Array.from({ length: SIZE }, (_, index) => ({ id: `n${index}`, writes: [], ...row(index) }));

const preview = (tasks: readonly object[]) => {
  const validation = validatePlan(planOf(tasks), { now: '2026-01-01T00:00:00Z' });
  if (!validation.ok) throw new Error(validation.issues[0]?.message);
  preflight(validation.plan.tasks);
  return previewPlan(validation.plan);
};

test('a chain of 100,000 tasks, each in a wave of its own, overflows nothing', () => {
  const chain = rows((i) => ({
    parallel_group: i + 1,
    depends_on: i === 0 ? [] : [`n${i - 1}`],
    reads: i === 0 ? [] : [`f${i - 1}`],
    writes: [`f${i}`],
  }));
  const { waves, maxDispatches } = preview(chain);
  expect(waves).toHaveLength(SIZE);
  expect(maxDispatches).toBe(5 * SIZE);
});

test('a star of 100,000 tasks in one wave around one hub overflows nothing', () => {
  const star = rows((i) =>
    i === 0
      ? { parallel_group: 1, writes: ['hub'] }
      : { parallel_group: 2, reads: ['hub'], depends_on: ['n0'] },
  );
  expect(preview(star).waves.map(({ tasks }) => tasks.length)).toEqual([1, SIZE - 1]);
});

test('one task that waits for 99,999 others overflows nothing', () => {
  const others = Array.from({ length: SIZE - 1 }, (_, i) => `n${i + 1}`);
  const sink = rows((i) =>
    i === 0 ? { parallel_group: 2, depends_on: others } : { parallel_group: 1 },
  );
  expect(preview(sink).waves[1]?.tasks[0]?.depends_on).toHaveLength(SIZE - 1);
});

test('a ring of 100,000 tasks is one cycle, and the walk over bad edges ends as well', () => {
  const ring = rows((i) => ({ parallel_group: i + 1, depends_on: [`n${(i + SIZE - 1) % SIZE}`] }));
  expect(taskIssues(ring).map(({ code }) => code)).toEqual(['not-later', 'cycle']);
  expect(upstreamEdges(ring as { id: string }[]).size).toBe(SIZE);
});

test('100,000 tasks with a defect each are 100,000 issues', () => {
  expect(taskIssues(rows(() => ({ parallel_group: 1, depends_on: ['ghost'] })))).toHaveLength(SIZE);
  expect(taskIssues([{ id: 'a', parallel_group: 1, depends_on: rows(() => ({})) }])).toHaveLength(
    SIZE,
  );
});
