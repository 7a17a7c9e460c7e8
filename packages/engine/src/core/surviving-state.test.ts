import { expect, it } from 'vitest';
import { manualClock } from '../memory/manual-clock.ts';
import { scriptedTransport } from '../memory/scripted-transport.ts';
import { run } from '../shell/run.ts';
import { SURVIVORS_LISTED } from './escalation.ts';

const giveUpOn = (lost: string) => {
  const clock = manualClock();
  const transport = scriptedTransport(
    ({ task: { id }, attempt }) => ({
      report: {
        kind: 'replied',
        reply: {
          type: 'task_result',
          task_id: id,
          attempt,
          status: id === lost ? 'blocked' : 'done',
          artifacts:
            id === lost
              ? []
              : ['src/a.ts', { path: `out/${id}` }, { kind: 'ref', sha256: 'ab' }, 7],
          notes_md: '',
        },
      },
    }),
    { clock },
  );
  return { clock, transport, sink: () => undefined };
};

it('a capacity abandonment carries the wave: who ended, who is open, what the accepted replies delivered', async () => {
  const setup = giveUpOn('b');
  const tasks = ['b', 'a'].map((id) => ({ id, parallel_group: 1 }));
  const { escalations } = await setup.clock.runUntil(
    run(tasks, { ...setup, policy: { maxAttempts: 2 } }),
  );
  expect(escalations[0]?.surviving_state).toEqual({
    wave_id: 'wave-0',
    terminal_tasks: ['a'],
    outstanding_tasks: ['b'],
    artifacts: ['src/a.ts', 'out/a', 'sha256:ab'],
  });
});

it('its lists are bounded, so that a wide cascade stays linear', async () => {
  const setup = giveUpOn('root');
  const wide = Array.from({ length: 1000 }, (_, i) => ({
    id: `d${i}`,
    parallel_group: 2,
    depends_on: ['root'],
  }));
  const tasks = [{ id: 'root', parallel_group: 1 }, ...wide];
  const { escalations } = await setup.clock.runUntil(
    run(tasks, { ...setup, policy: { maxAttempts: 1 } }),
  );
  expect(escalations.length).toBe(1001);
  const last = escalations.at(-1)?.surviving_state;
  expect(last?.terminal_tasks.length).toBe(SURVIVORS_LISTED);
  expect(last?.outstanding_tasks).toEqual(['d999']);
  expect(last?.omitted).toBe(1000 - SURVIVORS_LISTED - 1);
});
