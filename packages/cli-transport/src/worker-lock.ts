import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import type { Clock } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AttemptFolder } from './attempt-folder.ts';
import { CliTransportError } from './cli-error.ts';

/** Makes the files that the supervisor locks. Open for reading is enough for that. */
export function makeLocks({ lock, workerLock }: AttemptFolder): void {
  for (const path of [lock, workerLock]) writeFileSync(path, '', { mode: 0o400 });
}

const HELD = 75;
const TRIES = 3;

/**
 * Whether anything of the attempt lives, in whatever pid namespace: the system gives its locks back when the last of it
 * ends. False where there is no `flock`, or the file system knows none.
 */
export async function isHeld(
  { lock, workerLock }: AttemptFolder,
  flock: string | undefined,
): Promise<boolean> {
  if (flock === undefined || !existsSync(lock) || !existsSync(workerLock)) return false;
  // Shared, so that two that ask at once do not find each other.
  const ask = [flock, '--nonblock', '--shared', '--conflict-exit-code', String(HELD)];
  const [, ...args] = [...ask, lock, ...ask, workerLock, flock, '--version'];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const status = await statusOf(flock, args);
    if (status !== undefined) return status === HELD;
  }
  // Whoever can not ask does not know that it is gone.
  return true;
}

/** Undefined for a program that was not started, or did not end by itself. */
const statusOf = (file: string, args: readonly string[]): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: 10_000 }, (error) => {
      const status = error ? error.code : 0;
      resolve(typeof status === 'number' ? status : undefined);
    });
  });

const SHORTEST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 100;

/** False when something holds on for so long. A process that has just been ended may for a moment. */
export async function isReleasedWithin(
  ms: number,
  held: () => Promise<boolean>,
  clock: Clock,
): Promise<boolean> {
  const until = clock.now() + ms;
  for (let wait = SHORTEST_WAIT_MS; await held(); wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    if (clock.now() >= until) return false;
    await clock.sleep(wait);
  }
  return true;
}

/** Each look is a process. */
const LOOK_MS = 500;

/** Resolves when nothing holds a lock any more, or the signal aborts. Never rejects. */
export async function watchRelease(
  held: () => Promise<boolean>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await held())) await clock.sleep(LOOK_MS, signal);
}

export const outOfReach = ({ path }: AttemptFolder): CliTransportError =>
  new CliTransportError(
    'WORKER_UNSTOPPABLE',
    `something holds a lock in ${printable(path)}, and no process that can be seen from here`,
    'It runs in another container, or outside of this one: end it there.',
  );
