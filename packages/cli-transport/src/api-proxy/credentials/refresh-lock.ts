import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliTransportError } from '../../cli-error.ts';

const HOLDER = 'echo locked; exec cat >/dev/null';
const WAIT_S = 120;

/**
 * Does something while no other host on this machine does it under the same lock file. The system gives the lock back
 * when this process ends, however it ends. Without a `flock` program nobody else is kept out. Rejects with `LOGIN_LOCK`.
 */
export async function underLock<T>(
  lock: string,
  flock: string | undefined,
  act: () => Promise<T>,
): Promise<T> {
  if (flock === undefined) return act();
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  // The holder ends with its input, which ends with this process.
  const holder = spawn(flock, ['--timeout', String(WAIT_S), lock, '/bin/sh', '-c', HOLDER], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => {
    holder.once('close', () => resolve());
    holder.once('error', () => resolve());
  });
  holder.stdin.on('error', () => undefined);
  const held = await Promise.race([
    new Promise<boolean>((resolve) => holder.stdout.once('data', () => resolve(true))),
    ended.then(() => false),
  ]);
  if (!held)
    throw new CliTransportError(
      'LOGIN_LOCK',
      'the lock that keeps two refreshes of a login apart can not be had',
      'See whether another run hangs in a refresh, and that the state folder is writable.',
    );
  try {
    return await act();
  } finally {
    holder.stdin.end();
    await ended;
  }
}
