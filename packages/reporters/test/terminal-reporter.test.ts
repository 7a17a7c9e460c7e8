import { join } from 'node:path';
import type { RunEvent } from '@atelier/engine';
import { expect, test } from 'vitest';
import { lineReporter, type RunSetting, terminalReporter } from '../src/index.ts';
import { playResumed, playToTheEnd } from './played-run.ts';
import { playReviewed } from './reviewed-run.ts';
import { screen } from './screen.ts';

const linesOf = (events: readonly RunEvent[]): string[] => {
  const lines: string[] = [];
  const report = lineReporter({ write: (line) => lines.push(line.slice(0, -1)) });
  for (const event of events) report(event);
  return lines;
};

/** A view on a screen whose width and time the test sets. */
function view(width = 200, history: readonly RunEvent[] = [], setting: RunSetting = {}) {
  const terminal = screen(width);
  const state = { width, now: 0, writes: 0 };
  const reporter = terminalReporter({
    ...setting,
    history,
    columns: () => state.width,
    now: () => state.now,
    write: (text) => {
      state.writes += 1;
      terminal.write(text);
    },
  });
  return { ...reporter, terminal, state };
}

const timeOf = ({ at }: RunEvent): number => Date.parse(at);

test('lines scroll, and the status below them is drawn in place', async () => {
  const { events } = await playToTheEnd();
  const { event, terminal, state } = view();
  const frames: string[] = [];
  for (const each of events) {
    state.now = timeOf(each);
    event(each);
    if (each.type === 'attempt.started' || each.type === 'wave.closed')
      frames.push(terminal.lines().slice(-5).join('\n'));
  }
  await expect(`${frames.join('\n----\n')}\n`).toMatchFileSnapshot(
    join(import.meta.dirname, 'golden/terminal.txt'),
  );
});

test('when the run has ended the lines are there, the status is not, and the cursor is back', async () => {
  const { events } = await playToTheEnd();
  const { event, redraw, end, terminal, state } = view();
  for (const each of events) {
    event(each);
    redraw();
    expect(terminal.cursorShown()).toBe(each.type === 'run.finished');
  }
  expect(terminal.lines()).toEqual([...linesOf(events), '']);
  const { writes } = state;
  redraw();
  end();
  end();
  expect(state.writes).toBe(writes);
});

test('a view that is ended early takes its status away and gives the cursor back', async () => {
  const { events } = await playToTheEnd();
  const { event, redraw, end, terminal } = view();
  const some = events.slice(0, 6);
  for (const each of some) event(each);
  expect(terminal.cursorShown()).toBe(false);
  end();
  redraw();
  expect(terminal.cursorShown()).toBe(true);
  expect(terminal.lines()).toEqual([...linesOf(some), '']);
});

test('redrawing moves the elapsed times on and nothing else', async () => {
  const { events } = await playToTheEnd();
  const { event, redraw, terminal, state } = view();
  for (const each of events.slice(0, 4)) event(each);
  const before = [...terminal.lines()];
  state.now = 125_000;
  redraw();
  const moved = before.map((line) => line.replace(/(attempt 1 {2})0 s$/, '$12 min 5 s'));
  expect(moved).not.toEqual(before);
  expect(terminal.lines()).toEqual(moved);
});

test('below 40 columns there are plain lines and no cursor sequences', async () => {
  const { events } = await playToTheEnd();
  let text = '';
  const reporter = terminalReporter({
    columns: () => 39,
    now: () => 0,
    write: (each) => {
      text += each;
    },
  });
  for (const event of events) {
    reporter.event(event);
    reporter.redraw();
  }
  reporter.end();
  expect(text).toBe(
    linesOf(events)
      .map((line) => `${line}\n`)
      .join(''),
  );
});

test('no line of the status is as wide as the terminal, and none is lost when that shrinks below 40', async () => {
  const { events } = await playToTheEnd();
  const { event, redraw, terminal, state } = view(40);
  for (const each of events.slice(0, 4)) event(each);
  expect(terminal.cursorShown()).toBe(false);
  expect(terminal.lines().slice(-4)).toEqual([
    'wave 1 of 3, 0 of 8 done, 2 attempts r…',
    '  schema    attempt 1  0 s',
    '  spec      attempt 1  0 s',
    '',
  ]);
  state.width = 39;
  redraw();
  expect(terminal.cursorShown()).toBe(true);
  expect(terminal.lines().at(-1)).toBe('');
  expect(terminal.lines().join('')).not.toContain('attempts r');
});

test('a terminal that was made narrower has wrapped the status: all of it is taken away', () => {
  const writes: string[] = [];
  let width = 100;
  const reporter = terminalReporter({
    columns: () => width,
    now: () => 0,
    write: (text) => writes.push(text),
  });
  const head = { runId: 'r', seq: 1, at: '' };
  reporter.event({ ...head, type: 'wave.opened', wave: 0, group: 1, size: 1 });
  reporter.event({
    ...head,
    type: 'attempt.started',
    taskId: 'a'.repeat(40),
    attempt: 1,
    nonce: '',
  });
  width = 25;
  reporter.end();
  // "wave 1, 0 done, 1 attempt running" and the attempt take two rows of 25 columns each.
  expect(writes.at(-1)).toBe('\x1b[4A\r\x1b[J\x1b[?25h');
});

test('many attempts are counted, not listed', () => {
  const { event, terminal } = view();
  const head = { runId: 'r', seq: 1, at: '' };
  for (let taskId = 1; taskId <= 12; taskId++)
    event({ ...head, type: 'attempt.started', taskId, attempt: 1, nonce: '' });
  expect(terminal.lines().slice(-3)).toEqual([
    '  8                 attempt 1  0 s',
    '  and 4 more',
    '',
  ]);
});

test('work under review is counted, and its reviewer is seen at work', async () => {
  const { events } = await playReviewed();
  const { event, terminal } = view();
  const seen: string[] = [];
  for (const each of events) {
    event(each);
    if (each.type === 'attempt.started' && each.reviews)
      seen.push(terminal.lines().slice(-4, -1).join('\n'));
    if (each.type === 'attempt.accepted' && each.taskId === 'api')
      expect(terminal.lines().at(-2)).not.toContain('under review');
  }
  expect(seen[0]).toBe(
    [
      'wave 1 of 2, 0 of 4 done, 1 under review, 2 attempts running',
      '  ui        attempt 1  0 s',
      '  critic    attempt 1  0 s  reviews api',
    ].join('\n'),
  );
});

test('a run without walls stays loud', () => {
  const { event, terminal } = view(200, [], { sandbox: { kind: 'unsandboxed' } });
  event({ runId: 'r', seq: 1, at: '', type: 'wave.opened', wave: 0, group: 1, size: 1 });
  expect(terminal.lines().at(-2)).toBe('UNSANDBOXED, wave 1, 0 done, 0 attempts running');
});

test('a resumed run counts what its history has', async () => {
  const { events, history } = await playResumed();
  const { event, terminal } = view(200, history);
  for (const each of events.slice(0, 1)) event(each);
  expect(terminal.lines().at(-2)).toMatch(/^wave 2 of 3, 2 of 8 done, .*running$/);
});
