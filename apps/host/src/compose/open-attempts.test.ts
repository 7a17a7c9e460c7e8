import { attemptToken } from '@atelier/cli-transport';
import type { RunEvent, RunFact } from '@atelier/engine';
import { expect, it } from 'vitest';
import { tokensOfOpenAttempts } from './open-attempts.ts';

const started = (taskId: string, attempt: number, nonce: string): RunFact => ({
  ...{ type: 'attempt.started', taskId, attempt, nonce },
});
const reply = {
  type: 'task_result',
  task_id: 'b',
  attempt: 1,
  status: 'done',
  artifacts: [],
} as const;

it('are those of attempts that have neither replied nor ended', () => {
  const facts: RunFact[] = [
    started('a', 1, 'a1'),
    {
      ...{ type: 'attempt.closed', taskId: 'a', attempt: 1 },
      closure: { kind: 'failed', cause: 'exit', detail: '' },
    },
    started('a', 2, 'a2'),
    started('b', 1, 'b1'),
    { ...{ type: 'attempt.replied', taskId: 'b', attempt: 1 }, reply },
    started('c', 1, 'c1'),
  ];
  const history: RunEvent[] = facts.map((fact, at) => ({
    ...fact,
    runId: 'r',
    seq: at + 1,
    at: '',
  }));
  expect(tokensOfOpenAttempts(history)).toEqual(['a2', 'c1'].map(attemptToken));
});
