import { expect, test } from 'vitest';
import { composeBriefing } from '../src/index.ts';

const told = (wallClockMs?: number): string =>
  composeBriefing({
    task: { id: 'a' },
    attempt: 1,
    maxAttempts: 5,
    handIn: 'structured-output',
    ...(wallClockMs === undefined ? {} : { wallClockMs }),
  });

test('HO-26: near 125 000 tokens a worker checkpoints first and returns then, below 150 000', () => {
  const [, section = ''] = told().split('# Your limits\n\n');
  const [limits = ''] = section.split('\n\n#');
  expect(limits).toMatch(/125 000.*first checkpoint, then return\..*150 000/);
  expect(limits).not.toMatch(/compact|summari[sz]e|automatic/i);
});

test('the time is told where it is known, and there is no clock in it', () => {
  expect(told()).not.toContain('You have');
  expect(told(1_800_000)).toContain('\nYou have 30 minutes, then you are stopped.\nNear ');
  expect(told(119_999)).toContain('\nYou have 119 seconds, ');
  expect(told(1_830_000)).toBe(told(1_800_000));
});
