import { expect, test } from 'vitest';
import { setupFailure } from './setup-failure.ts';

test.each([
  [1, 'bwrap: setting up uid map: Permission denied', /apparmor_restrict_unprivileged_userns/u],
  [1, 'bwrap: No permissions to create a new namespace', /AppArmor/u],
  [1, 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', /AppArmor/u],
  [1, "bwrap: Can't mount proc on /newroot/proc: Operation not permitted", /systempaths/u],
  [1, 'bwrap: execvp /opt/x/tool: No such file or directory', /sandbox\.read/u],
  [1, "bwrap: Can't find source path /gone: No such file or directory", /went away/u],
  [1, 'bwrap: something new', /its own/u],
  [127, 'tool: error while loading shared libraries: libz.so.9: cannot open', /sandbox\.read/u],
  [127, "/usr/bin/env: 'node': No such file or directory", /sandbox\.read/u],
  [127, 'sh: 1: /opt/run: bad interpreter: No such file', /sandbox\.read/u],
])('%d, %s: named, with the way out', (exitCode, line, fix) => {
  const sentence = setupFailure(exitCode, `noise before\n${line}\nnoise after\n`);
  expect(sentence).toMatch(fix);
  expect(sentence?.startsWith(line)).toBe(true);
});

test.each([
  [0, 'bwrap: setting up uid map: Permission denied'],
  [3, 'bwrap: anything'],
  [null, 'bwrap: anything'],
  [1, 'the agent said bwrap: and failed'],
  [127, 'sh: 1: tool: not found'],
  [1, ''],
])('%s, %s: the program’s own ending', (exitCode, stderr) => {
  expect(setupFailure(exitCode, stderr)).toBeUndefined();
});

test('the sentence is one bounded line without controls', () => {
  const sentence = setupFailure(1, `bwrap: execvp /\u001b[2J${'x'.repeat(5000)}: No such file`);
  expect(sentence).not.toMatch(/\p{Cc}/u);
  expect(sentence?.length).toBeLessThan(600);
});
