import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliTransportError } from '../../cli-error.ts';

const WAIT_S = 120;

/**
 * Does something while no other host on this machine does it under the same lock file. It is given the descriptor that
 * the lock hangs on: the system gives the lock back when this process has ended, however it ends, and every program that
 * was started with that descriptor. Without a `flock` program nobody else is kept out, and there is none. Rejects with
 * `LOGIN_LOCK`.
 */
export async function underLock<T>(
  lock: string,
  flock: string | undefined,
  act: (held: number | undefined) => Promise<T>,
): Promise<T> {
  if (flock === undefined) return act(undefined);
  const held = await opened(lock);
  try {
    if (!(await isDone(flock, ['--timeout', String(WAIT_S)], held))) throw notHad();
    try {
      return await act(held);
    } finally {
      // What a program has left behind does not keep it.
      await isDone(flock, ['--unlock'], held);
    }
  } finally {
    closeSync(held);
  }
}

async function opened(lock: string): Promise<number> {
  try {
    await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
    return openSync(lock, 'a', 0o600);
  } catch (error) {
    throw notHad(error);
  }
}

const notHad = (cause?: unknown): CliTransportError =>
  new CliTransportError(
    'LOGIN_LOCK',
    'the lock that keeps two refreshes of a login apart can not be had',
    'See whether another run hangs in a refresh, and that the state folder is writable.',
    cause,
  );

/** Where a program finds a descriptor that it is given beside its three streams. */
const GIVEN = 3;

const isDone = (flock: string, how: readonly string[], held: number): Promise<boolean> =>
  new Promise((resolve) => {
    const asking = spawn(flock, [...how, String(GIVEN)], {
      stdio: ['ignore', 'ignore', 'ignore', held],
    });
    asking.once('error', () => resolve(false));
    asking.once('close', (status) => resolve(status === 0));
  });
