import { expect, it } from 'vitest';
import { run, scriptedTransport } from '../src/index.ts';
import { replyFor } from './scenario.ts';

it('a wave of 20,000 tasks costs each of them the same: none is charged for the size of its wave', async () => {
  const tasks = Array.from({ length: 20_000 }, (_, index) => ({
    id: `t${index}`,
    parallel_group: 1,
  }));
  const transport = scriptedTransport(({ task, attempt }) => ({
    report: { kind: 'replied', reply: replyFor('done', task.id, attempt) },
  }));
  const report = await run(tasks, { transport, sink: () => undefined });
  expect(report).toMatchObject({ verdict: 'complete', dispatches: 20_000 });
});
