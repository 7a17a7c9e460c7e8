import { join } from 'node:path';
import type { RunEvent } from '@atelier/engine';
import type { JsonValue } from '@atelier/envelope';
import { expect, test } from 'vitest';
import { lineReporter, type RunSetting } from '../src/index.ts';
import { playResumed, playToTheEnd, playUntilParked } from './played-run.ts';
import { playReviewed } from './reviewed-run.ts';

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

test('checks, reviews, conflicts and a red gate are told, and of a review one line', async () => {
  const { events } = await playReviewed();
  const text = told(events);
  await expect(text).toMatchFileSnapshot(golden('lines-reviewed.txt'));
  expect(text).not.toMatch(/line 7|not ok 7/);
});

const at = { runId: 'r', seq: 1, at: '2026-01-01T00:00:00.000Z' };

const accepted = (evidence: JsonValue): RunEvent => ({
  ...at,
  type: 'attempt.accepted',
  taskId: 'a',
  attempt: 1,
  reply: { type: 'task_result', task_id: 'a', attempt: 1, status: 'done', artifacts: ['x'] },
  evidence,
});

test.each<[conflicts: JsonValue, text: string]>([
  [[], ''],
  [[{ taskId: 7, paths: [] }], '; will conflict with 7: decided when the wave is merged'],
  [
    [{ taskId: 'b', paths: ['x', 'y', 'z', 'w'] }],
    '; will conflict with b in x, y, z +1: decided when the wave is merged',
  ],
  [
    ['b', 'c', 'd', 'e', 'f'].map((taskId) => ({ taskId, paths: ['x'] })),
    '; will conflict with b in x, with c in x, with d in x and 2 others: decided when the wave is merged',
  ],
  ['b', ''],
  [[null, 'b', { taskId: {} }, { paths: ['x'] }], ''],
  [
    [{ taskId: 'b', paths: [7, null, 'x', { path: 'y' }] }],
    '; will conflict with b in x: decided when the wave is merged',
  ],
])('conflicts %j', (conflicts, text) => {
  expect(told([accepted({ conflicts })])).toBe(
    `00:00:00  a                 attempt 1 accepted${text}\n`,
  );
});

test.each<JsonValue>(['guard', null, [], 7, { changed: 'many' }])(
  'evidence %j of another acceptance is no trouble',
  (evidence) => {
    expect(told([accepted(evidence)])).toMatch(/attempt 1 accepted\n$/);
  },
);

test.each([
  ['Which currency?', ': Which currency?'],
  ['\n\n  Two things:  \r\n- a\n- b', ': Two things: …'],
  ['one\n\n', ': one'],
  [' \n', ''],
  ['', ''],
])('notes %j are one line', (notes_md, text) => {
  const reply = {
    type: 'task_result',
    task_id: 'a',
    attempt: 1,
    status: 'blocked',
    artifacts: [],
    notes_md,
  } as const;
  const closure = { kind: 'held', status: 'blocked', reply } as const;
  expect(
    told([{ ...at, type: 'attempt.closed', taskId: 'a', attempt: 1, closure }]).slice(28),
  ).toBe(`attempt 1 replied blocked${text}\n`);
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
