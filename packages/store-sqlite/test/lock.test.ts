import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { holdLock } from '../src/hold-lock.ts';

const lockFile = () => join(mkdtempSync(join(tmpdir(), 'atelier-lock-')), 'lock.db');

const DOOR = join(import.meta.dirname, '../dist/index.js');

it('one holder at a time; the other is told who it is', () => {
  const path = lockFile();
  const first = holdLock({ path, holder: 'run r of pid 7' });
  expect(() => holdLock({ path, holder: 'me' })).toThrow(
    expect.objectContaining({
      code: 'STORE_LOCKED',
      message: expect.stringContaining('run r of pid 7'),
    }),
  );
  first.release();
  holdLock({ path, holder: 'me' }).release();
});

it('kill -9 of the holder frees it', async () => {
  const path = lockFile();
  const script = `import { holdLock } from '${DOOR}'; holdLock({ path: '${path}', holder: 'child' }); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(() => holdLock({ path, holder: 'me' })).toThrow(/child/);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  holdLock({ path, holder: 'me' }).release();
});
