import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { spoolOf } from './attempt-folder.ts';
import { type AttemptMeta, writeMeta } from './attempt-meta.ts';
import { pidNamespaceOf } from './process-table.ts';
import { isWorkerAlive } from './worker-alive.ts';

const NONCE = 'worker-alive-1';

let runDir: string;
let child: ChildProcess;

beforeEach(async () => {
  runDir = mkdtempSync(join(tmpdir(), 'worker-alive-'));
  child = spawn('sleep', ['1000'], { env: { PATH: process.env['PATH'], ATELIER_NONCE: NONCE } });
  await once(child, 'spawn');
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) await end();
  rmSync(runDir, { recursive: true });
});

const end = async () => {
  const over = once(child, 'exit');
  child.kill('SIGKILL');
  await over;
};

/** What a supervisor and its host leave in the folder of an attempt. */
function attempt(meta: Partial<AttemptMeta> = {}, stat = (line: string) => line) {
  const folder = spoolOf(runDir, 'T-1', 1);
  mkdirSync(folder.path, { recursive: true });
  writeMeta(folder, {
    ...{ taskId: 'T-1', attempt: 1, nonce: NONCE, bootId: '', startedAt: '' },
    ...{ deadlineMs: 0, backstopMs: 0, pidNamespace: pidNamespaceOf('self'), ...meta },
  });
  writeFileSync(folder.supervisor, stat(readFileSync(`/proc/${child.pid}/stat`, 'latin1')));
  return folder;
}

/** The line of a process that began with the machine. */
function startedAtOnce(line: string): string {
  const name = line.lastIndexOf(')') + 2;
  return line.slice(0, name) + line.slice(name).split(' ').with(19, '1').join(' ');
}

it('TB-22: a worker is seen as long as its process lives, and not after its end', async () => {
  const folder = attempt();
  expect(isWorkerAlive(folder)).toBe(true);
  await end();
  expect(isWorkerAlive(folder)).toBe(false);
});

it.each([
  ['a later process with its number', {}, startedAtOnce],
  ['a process of another attempt', { nonce: 'another' }, undefined],
  ['one of another pid namespace', { pidNamespace: 'pid:[1]' }, undefined],
] as const)('%s is not it', (_, meta, stat) => {
  expect(isWorkerAlive(attempt(meta, stat))).toBe(false);
});

it('where nothing was started, or nothing can be read, nobody is seen', () => {
  const folder = spoolOf(runDir, 'none', 1);
  expect(isWorkerAlive(folder)).toBe(false);
  mkdirSync(folder.path, { recursive: true });
  writeFileSync(folder.meta, '{');
  expect(isWorkerAlive(folder)).toBe(false);
});
