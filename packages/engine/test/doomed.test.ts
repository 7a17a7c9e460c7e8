import fc from 'fast-check';
import { expect, test } from 'vitest';
import { doomed, previewPlan } from '../src/plan/index.ts';
import { arbitraryRun, observeRun } from './arbitrary-run.ts';

const CLOSED = new Set(['complete', 'abandoned', 'held']);

test('who reads what a pattern would have written is lost with its writer, and never dispatched', async () => {
  const tasks = [
    { id: 'w', parallel_group: 1, writes: ['src/**'] },
    { id: 'r', parallel_group: 2, reads: ['src/a.ts'] },
    { id: 'apart', parallel_group: 2, reads: ['docs'] },
  ];
  for (const schedule of ['parallel', 'pipeline'] as const) {
    const kinds = ['done', 'abandoned:scope', 'done', 'done', 'done', 'done', 'done', 'done'];
    const { report } = await observeRun({ tasks, kinds, acceptance: 'all', policy: { schedule } });
    expect(Object.fromEntries(report.outcomes.map(({ taskId, kind }) => [taskId, kind]))).toEqual({
      w: 'worker-abandon',
      r: 'engine-abandon',
      apart: 'done',
    });
    expect(report.dispatches).toBe(2);
  }
});

test('where all workers deliver, exactly the live tasks that are doomed are never dispatched', async () => {
  const seen = { spent: 0, upstream: 0, reviewer: 0, dispatched: 0 };
  await fc.assert(
    fc.asyncProperty(arbitraryRun, async (any) => {
      const given = { ...any, kinds: ['done'], acceptance: 'all' as const };
      const { tasks, policy } = given;
      const { maxAttempts = 5 } = policy;
      const found = doomed(tasks, { maxAttempts });
      const { events, report } = await observeRun(given);
      const dispatched = new Set(
        events.flatMap((event) => (event.type === 'attempt.started' ? [`${event.taskId}`] : [])),
      );
      const live = tasks.filter(({ status }) => !CLOSED.has(status ?? ''));
      for (const { id } of live) {
        const lost = found.get(`${id}`);
        expect([id, dispatched.has(`${id}`)]).toEqual([id, lost === undefined]);
        if (lost === undefined) seen.dispatched += 1;
        else if (lost === `${id}`) seen.spent += 1;
        else if (live.some((one) => `${one.id}` === lost && one.reviews === id)) seen.reviewer += 1;
        else seen.upstream += 1;
      }
      expect(found.size).toBe(live.length - dispatched.size);
      const { maxDispatches, warnings } = previewPlan({ goal: 'g', tasks }, { maxAttempts });
      expect(report.dispatches).toBeLessThanOrEqual(maxDispatches);
      expect(maxDispatches > 0).toBe(dispatched.size > 0);
      const told = warnings.filter(({ code }) => code === 'cascade' || code === 'budget-spent');
      expect(told.map(({ taskId }) => taskId).sort()).toEqual([...found.keys()].sort());
    }),
    { numRuns: 300, seed: 7 },
  );
  for (const [what, count] of Object.entries(seen)) expect([what, count > 5]).toEqual([what, true]);
});
