import { expect, test } from 'vitest';
import { describeRefusal } from './describe-refusal.ts';
import { unavailable } from './error.ts';

const selfTest = (...probes: { name: string; held: boolean; detail: string }[]) => ({
  kind: 'bwrap',
  pid: 1,
  passed: probes.every(({ held }) => held),
  probes,
});

const held = { name: 'runs-program', held: true, detail: 'held' };

test('a leak is named with what was seen', () => {
  const text = describeRefusal(
    selfTest(held, { name: 'network', held: false, detail: 'reached a TCP port of the host' }),
  );
  expect(text).toContain('network (reached a TCP port of the host)');
  expect(text).not.toContain('runs-program');
});

test('walls that can not be built are named by their cause alone', () => {
  const text = describeRefusal(
    selfTest(
      { name: 'runs-program', held: false, detail: 'bwrap: no. Do this.' },
      { name: 'network', held: false, detail: 'not tried' },
    ),
  );
  expect(text).toBe('The bwrap self-test could not start: bwrap: no. Do this.');
});

test('an error is told with its hint', () => {
  expect(describeRefusal(unavailable('there is no bwrap', 'Install it.'))).toBe(
    'there is no bwrap. Install it.',
  );
});

test('no test at all: says what to do', () => {
  expect(describeRefusal(undefined)).toContain('selfTest()');
});

test('one line, whatever is in it', () => {
  expect(describeRefusal(new Error('a\u001b[2J\nb'))).not.toMatch(/\p{Cc}/u);
  expect(describeRefusal(selfTest({ ...held, held: false, detail: 'a\nb' }))).not.toMatch(/\n/u);
});

test('a passed one is no refusal', () => {
  expect(describeRefusal(selfTest(held))).toBe('The bwrap self-test passed.');
});
