import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  identityOf,
  isRunning,
  numbersOf,
  parseStat,
  pidNamespaceOf,
  processesHolding,
  processesWith,
  wasCalledWith,
} from './process-table.ts';

const stat = (name: string) =>
  `42 (${name}) S 1 42 42 0 -1 4194304 106 0 0 0 0 0 0 0 20 0 1 0 372607 2654208 395`;

describe('a process', () => {
  it.each(['sh', 'a b', ') Z 1 (', '((', 'x) R 9 9 9'])('is read whatever its name: %s', (name) => {
    expect(parseStat(stat(name))).toEqual({ pid: 42, state: 'S', startTime: '372607' });
  });

  it.each(['', '42', '42 (sh', '42 (sh) S 1 2 3', stat('sh').slice(0, 40)])(
    'is not made up from half a line: %j',
    (line) => expect(parseStat(line)).toBeUndefined(),
  );

  it('is known by its number and its start, and not by one of them', () => {
    const self = identityOf(process.pid);
    expect(isRunning(self)).toBe(true);
    expect(isRunning({ ...self, startTime: '1' })).toBe(false);
    expect(isRunning({ ...self, pid: 2 ** 22 })).toBe(false);
  });

  it('says in which pid namespace it is, and which numbers it has there and here', () => {
    expect(pidNamespaceOf(process.pid)).toMatch(/^pid:\[\d+\]$/);
    expect(pidNamespaceOf('self')).toBe(pidNamespaceOf(process.pid));
    expect(numbersOf(process.pid)[0]).toBe(process.pid);
    expect(pidNamespaceOf(2 ** 22)).toBe('');
    expect(numbersOf(2 ** 22)).toEqual([]);
  });

  it('is known by a whole argument, and by a file that it has open', async () => {
    const mark = join(tmpdir(), `held-${process.pid}-${Date.now()}`);
    writeFileSync(mark, '');
    const file = openSync(mark, 'r');
    const child = spawn('sleep', ['1000', '9999'], { stdio: ['ignore', 'ignore', file] });
    closeSync(file);
    await once(child, 'spawn');
    expect(wasCalledWith(child.pid ?? 0, '9999')).toBe(true);
    expect(wasCalledWith(child.pid ?? 0, '999')).toBe(false);
    expect(processesHolding(mark)).toEqual([child.pid]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processesHolding(mark)).toEqual([]);
    rmSync(mark);
    expect(processesHolding(mark)).toEqual([]);
    expect(processesHolding('/dev/null/none')).toEqual([]);
  });

  it.each([0, 100_000])(
    'is found by a whole entry of its environment, behind %i more bytes',
    async (size) => {
      const mark = `MARK_${process.pid}=${Date.now()}`;
      const child = spawn('sleep', ['1000'], {
        env: { FIRST: 'x'.repeat(size), [mark.split('=')[0] ?? '']: mark.split('=')[1] },
      });
      await once(child, 'spawn');
      expect(processesWith(mark)).toEqual([child.pid]);
      expect(processesWith(mark.slice(0, -1))).toEqual([]);
      expect(processesWith(mark.slice(1))).toEqual([]);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(processesWith(mark)).toEqual([]);
    },
  );
});
