import { afterEach, expect, test } from 'vitest';
import { type RunInterrupts, runInterrupts } from './run-interrupts.ts';
import { stopSwitch } from './stop-switch.ts';

const open: RunInterrupts[] = [];
afterEach(() => {
  for (const interrupts of open.splice(0)) interrupts.close();
});

/** What an interrupt at that moment says. */
function said(before: (interrupts: RunInterrupts) => void): string {
  const stopping = stopSwitch();
  let text = '';
  const interrupts = runInterrupts(stopping, {
    stderr: {
      write(part: string) {
        text += part;
      },
    },
  });
  open.push(interrupts);
  before(interrupts);
  process.emit('SIGHUP');
  interrupts.close();
  expect([stopping.signal.aborted, interrupts.ofMeeting.signal.aborted]).toEqual([true, true]);
  return text;
}

test('an interrupt says who is ended: workers only where there are any', () => {
  expect(said((run) => run.loaded('/w'))).toBe('stopping before anything is dispatched\n');
  const meeting = said((run) => {
    run.loaded('/w');
    run.ofMeeting.onFolder('/m');
  });
  expect(meeting).toBe('stopping: the speaker is ended, and nothing is dispatched\n');
  const work = said((run) => {
    run.loaded('/w');
    run.ofMeeting.onFolder('/m');
    run.dispatching();
  });
  expect(work).toBe('stopping: workers are ended and their work is saved\n');
});
