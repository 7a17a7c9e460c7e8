import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Proc } from './proc.ts';
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

describe('a process that is older than whoever could have started it', () => {
  const wanted = 'ATELIER_NONCE=one';
  const others = (now: { start: number; ino: number; madeAtMs?: number; isRefused?: boolean }) => {
    const asked = { starts: 0, environments: 0 };
    const proc: Proc = {
      names: () => ['7'],
      target: () => String(process.pid),
      file: () => ({ ino: now.ino, dev: 1, ctimeMs: now.madeAtMs ?? 1 }),
      text: (path) => {
        if (path.endsWith('/status')) return `Uid:\t${process.getuid?.()}\n`;
        asked.starts += 1;
        return `7 (sh) S ${'0 '.repeat(18)}${now.start} 0`;
      },
      environment: () => {
        asked.environments += 1;
        if (now.isRefused) throw Object.assign(new Error('closed'), { code: 'EACCES' });
        return Buffer.from(`\0${wanted}\0`);
      },
    };
    return { proc, asked };
  };

  const look = (proc: Proc, times: number, since: string | undefined = '10') =>
    Array.from({ length: times }, () => processesWith(wanted, { proc, since })).map(
      (found) => found.length,
    );

  it('is read when it is met first, and asked once when it has started', () => {
    const { proc, asked } = others({ start: 9, ino: 1 });
    expect(look(proc, 4)).toEqual([1, 0, 0, 0]);
    expect(asked).toEqual({ starts: 1, environments: 1 });
  });

  it.each(['9', '8', '0', '', undefined])('is one that started before, not since %j', (since) => {
    const { proc } = others({ start: 9, ino: 1 });
    for (let time = 0; time < 3; time += 1)
      expect(processesWith(wanted, { proc, since })).toEqual([7]);
  });

  it.each([
    ['when it is shown as another', { ino: 2 }],
    ['also under the same inode', { madeAtMs: 2 }],
  ])('is not a later one with its number, %s', (_, change) => {
    const now = { start: 9, ino: 1, madeAtMs: 1 };
    const { proc } = others(now);
    expect(look(proc, 2)).toEqual([1, 0]);
    Object.assign(now, { start: 11, ...change });
    expect(look(proc, 3)).toEqual([1, 1, 1]);
  });

  it.each<[string, Partial<Proc>]>([
    ['its folder', { file: failing }],
    ['its start', { text: failing }],
    ['anything of its start', { text: () => '' }],
  ])('is not one that does not tell: %s', (_, broken) => {
    const { proc } = others({ start: 9, ino: 1 });
    expect(look({ ...proc, ...broken }, 3)).toEqual([1, 1, 1]);
  });

  it('shows that processes can be read, when a later one hides', () => {
    const hiding = others({ start: 11, ino: 2, isRefused: true });
    const search = { proc: hiding.proc, since: '10' };
    expect(() => processesWith(wanted, search)).toThrow('of the same user');
    const { proc, asked } = others({ start: 9, ino: 1 });
    const of = (pid: string | number) => (String(pid).includes('8') ? hiding.proc : proc);
    const both: Proc = {
      ...{ names: () => ['7', '8'], target: proc.target },
      file: (path) => of(path).file(path),
      text: (path) => of(path).text(path),
      environment: (pid) => of(pid).environment(pid),
    };
    expect(look(both, 3)).toEqual([1, 0, 0]);
    expect(asked.environments).toBe(3);
  });
});

function failing(): never {
  throw Object.assign(new Error('not now'), { code: 'EIO' });
}
