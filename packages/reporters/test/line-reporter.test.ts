import { join } from 'node:path';
import type { RunEvent } from '@atelier/engine';
import { expect, test } from 'vitest';
import { lineReporter, type RunSetting } from '../src/index.ts';
import { playResumed, playToTheEnd, playUntilParked } from './played-run.ts';

const SETTING: RunSetting = {
  runMode: { mode: 'cost-lean', reason: 'default' },
  sandbox: { kind: 'confined', by: 'bubblewrap 0.8.0' },
};

function told(events: readonly RunEvent[], setting: RunSetting = SETTING): string {
  let text = '';
  const report = lineReporter({
    ...setting,
    write: (lines) => {
      text += lines;
    },
  });
  for (const event of events) report(event);
  return text;
}

const golden = (name: string) => join(import.meta.dirname, 'golden', name);

test('a run to its end is one line for each thing that happened', async () => {
  const { events } = await playToTheEnd();
  await expect(told(events)).toMatchFileSnapshot(golden('lines.txt'));
});

test('a parked run says why and until when', async () => {
  const { events } = await playUntilParked();
  await expect(told(events)).toMatchFileSnapshot(golden('lines-parked.txt'));
});

test('a resumed run is told from its resumption, with the plan of its history', async () => {
  const { events, history } = await playResumed();
  await expect(told(events, { ...SETTING, history })).toMatchFileSnapshot(
    golden('lines-resumed.txt'),
  );
});

test('the first line of a run has its id, size, mode with its reason, caps and walls', async () => {
  const { events } = await playToTheEnd();
  expect(told(events).split('\n')[0]).toBe(
    '00:00:00  run       run-1 started, 8 tasks in 3 waves, run mode cost-lean (default), 2 workers, at most 2 attempts of 30 min per task, sandboxed by bubblewrap 0.8.0',
  );
});

test('a run without walls is loud', async () => {
  const { events } = await playToTheEnd();
  const [first] = told(events, { sandbox: { kind: 'unsandboxed' } }).split('\n');
  expect(first).toMatch(/, UNSANDBOXED: agents can read, change and send whatever this user can$/);
  const [scripted] = told(events, { sandbox: { kind: 'no-process' } }).split('\n');
  expect(scripted).toMatch(/, no process to sandbox$/);
});

test('a resumed run without its history says no size that it does not know', async () => {
  const { events } = await playResumed();
  const [first] = told(events, {}).split('\n');
  expect(first).toMatch(/ run-3 resumed, 2 workers, at most 2 attempts of 30 min per task$/);
});
