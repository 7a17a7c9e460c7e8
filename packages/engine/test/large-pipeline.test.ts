import { expect, test } from 'vitest';
import { checkPolicy } from '../src/core/policy.ts';
import { foldRun, type RunFact, type Task } from '../src/index.ts';

// More than fit into the arguments of one call.
const MANY = 150_000;

const folded = (tasks: readonly Task[], ...more: readonly RunFact[]) => {
  const facts: readonly RunFact[] = [
    { type: 'run.started', tasks, policy: checkPolicy({ schedule: 'pipeline' }) },
    { type: 'wave.opened', wave: 0, group: 1, size: tasks.length },
    ...more,
  ];
  return foldRun(facts.map((fact, at) => ({ ...fact, runId: 'r', seq: at + 1, at: '' })));
};

const leaf = (at: number): Task => ({ id: at, parallel_group: 2, reads: [], writes: [] });

test('one end may let any number of tasks go', () => {
  const hub: Task = { id: 'hub', parallel_group: 1, reads: [], writes: [] };
  const leaves = Array.from({ length: MANY }, (_, at) => ({ ...leaf(at), depends_on: ['hub'] }));
  const { wave } = folded([hub, ...leaves], {
    ...{ type: 'task.replayed', taskId: 'hub', from: { runId: 'earlier', attempt: 1 } },
    reply: { type: 'task_result', task_id: 'hub', attempt: 1, status: 'done', artifacts: ['a'] },
  });
  expect((wave?.queue.length ?? 0) - (wave?.head ?? 0)).toBe(MANY);
});

test('one row that has ended may stand before any number of others', () => {
  const ended = { status: 'complete' } as const;
  const leaves = Array.from({ length: MANY }, (_, at) => ({ ...leaf(at), ...ended }));
  const hub: Task = { ...leaf(MANY), ...ended, id: 'hub', depends_on: leaves.map(({ id }) => id) };
  const { wave } = folded([
    ...leaves,
    hub,
    { ...leaf(-1), parallel_group: 3, depends_on: ['hub'] },
  ]);
  expect(wave?.queue).toEqual(['-1']);
});
