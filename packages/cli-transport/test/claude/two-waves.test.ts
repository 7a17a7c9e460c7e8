import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, type Task } from '@atelier/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderOf } from './attempt.ts';
import { FETCH_MS } from './claude-binary.ts';
import { type Rig, rig } from './rig.ts';

const PLAN: readonly Task[] = [
  { id: 'first', parallel_group: 1, description: '[[write]]' },
  { id: 'second', parallel_group: 2, depends_on: ['first'], description: '[[write]]' },
];

describe('a plan of two waves through the engine, the transport, the walls and the real claude', () => {
  let claude: Rig;
  beforeAll(async () => {
    claude = await rig();
  }, FETCH_MS);
  afterAll(() => claude?.close());

  it('ends with both tasks done, the second after the first', async () => {
    const report = await run(PLAN, {
      transport: claude.transport,
      briefing: ({ task, attempt }) =>
        `${task.description}\ntask_id: ${task.id}\nattempt: ${attempt}\n`,
    });
    expect(report.verdict).toBe('complete');
    expect(report.outcomes).toMatchObject([
      { kind: 'done', taskId: 'first' },
      { kind: 'done', taskId: 'second' },
    ]);
    for (const task of PLAN) {
      const file = join(claude.worktreeOf(orderOf('', { task })), `${task.id}.txt`);
      expect(await readFile(file, 'utf8')).toBe(`made by ${task.id}\n`);
    }
    expect(claude.server.requests.map(({ taskId }) => taskId)).toEqual(
      PLAN.flatMap(({ id }) => [id, id, id]),
    );
  });
});
