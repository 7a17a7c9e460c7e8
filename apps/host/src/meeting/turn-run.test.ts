import { run, scriptedTransport } from '@atelier/engine';
import { openStore } from '@atelier/store-sqlite';
import { expect, test } from 'vitest';
import { aboutTurn, turnRuns, turnTask } from './turn-run.ts';

const TURN = { speaker: 'be', round: 1 };

test('what was said in the last turn, and not written down when the host died, is not asked for again', async () => {
  const store = openStore({ path: ':memory:' });
  const turns = turnRuns(store, 'team');
  const speak = (notes_md: string, status = 'done') =>
    run([turnTask(TURN)], {
      ...{ runId: turns.next(), journal: store.journal, policy: { maxAttempts: 1 } },
      sink: () => undefined,
      about: aboutTurn(TURN, 'team'),
      transport: scriptedTransport(({ task, attempt }) => ({
        report: {
          kind: 'replied',
          reply: {
            ...{ type: 'task_result', task_id: task.id, attempt, status, notes_md },
            artifacts: ['turn.json'],
          },
        },
      })),
    });
  expect(await turns.saidIn(TURN)).toBeUndefined();
  await speak('{"says":"x"}');
  expect(await turns.saidIn(TURN)).toBe('{"says":"x"}');
  expect(await turns.saidIn({ ...TURN, round: 2 })).toBeUndefined();
  expect(await turns.saidIn({ ...TURN, speaker: 'fe' })).toBeUndefined();
  // The turns of another team are none of this one, and a failed one said nothing.
  expect(await turnRuns(store, 'tea').saidIn(TURN)).toBeUndefined();
  await speak('ABANDON: scope:no', 'abandoned');
  expect(await turns.saidIn(TURN)).toBeUndefined();
  expect(turns.next()).toBe('meet-team-3');
  store.close();
});
