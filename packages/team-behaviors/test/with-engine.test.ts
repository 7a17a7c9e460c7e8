import { type Escalation, run, scriptedTransport } from '@atelier/engine';
import { expect, it } from 'vitest';
import {
  escalateFn,
  gapLatch,
  memoryLedger,
  recordPostMortem,
  refusedTasks,
  stoppedLines,
} from '../src/index.ts';

const TASKS = [
  { id: 'spec', parallel_group: 1 },
  { id: 'api', parallel_group: 2, depends_on: ['spec'] },
  { id: 'docs', parallel_group: 3, depends_on: ['api'] },
];

const transport = () =>
  scriptedTransport(({ task, attempt }) => ({
    report: {
      kind: 'replied',
      reply: {
        ...{ type: 'task_result', task_id: task.id, attempt, artifacts: ['notes.md'] },
        status: task.id === 'api' ? 'abandoned' : 'done',
        notes_md: 'ABANDON: conflict:the two specs disagree',
      },
    },
  }));

it('what an engine escalates is heard and booked, and what nobody resolves is refused to the next run', async () => {
  const ledger = memoryLedger({ now: () => 0 });
  const heard: string[] = [];
  const sink = escalateFn<Escalation>({
    latch: gapLatch({ ledger, teamId: 'first' }),
    sink: ({ task_id, category }) => heard.push(`${task_id} ${category}`),
  });
  const report = await run(TASKS, { transport: transport(), sink });
  expect(report.verdict).toBe('abandoned');
  expect(heard).toEqual(['api conflict', 'docs blocked']);
  expect(ledger.rows.map(({ payload }) => payload['gap_id'])).toEqual(['task-api', 'task-docs']);

  recordPostMortem({ ledger, teamId: 'first', gapId: 'task-api', reason: 'Nobody decided.' });
  const links = TASKS.map(({ id, depends_on = [] }) => ({ id, upstream: depends_on }));
  const refused = refusedTasks(links, stoppedLines(ledger, ['first']));
  expect(refused.map(({ taskId }) => taskId)).toEqual(['api', 'docs']);
});

it('a ledger that fails changes nothing in a run', async () => {
  const fail = () => {
    throw new Error('disk');
  };
  const broken = { append: fail, list: fail, latch: fail };
  const heard: string[] = [];
  const outcomes = async (sink: (escalation: Escalation) => unknown) =>
    (await run(TASKS, { transport: transport(), sink })).outcomes;
  const plain = await outcomes(({ task_id }) => heard.push(`plain ${task_id}`));
  const failing = escalateFn<Escalation>({
    latch: gapLatch({ ledger: broken, teamId: 't' }),
    sink: ({ task_id }) => heard.push(`failing ${task_id}`),
    onLedgerFailure: () => undefined,
  });
  expect(await outcomes((one) => failing(one, 'k'))).toEqual(plain);
  expect(heard).toEqual(['plain api', 'plain docs', 'failing api', 'failing docs']);
});
