import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@atelier/engine';
import { printable } from '@atelier/envelope';
import type { AttemptFolder } from './attempt-folder.ts';
import { CliTransportError } from './cli-error.ts';
import { nameAgain } from './second-name.ts';

/**
 * Makes the files that the supervisor locks. Open for reading is enough for that. Two files, since a program that unlocks
 * the one that it inherits must not unlock the other; the second is one that nobody else ever opens, for whoever has it
 * open is taken for the worker.
 */
export function makeLocks({ meta, lock, workerLock }: AttemptFolder): void {
  nameAgain(meta, lock);
  writeFileSync(workerLock, '', { mode: 0o400 });
}

const FREE = 0;
const HELD = 75;
/** What flock says where the file system has no locks; it may say so for another reason. */
const NO_LOCKS: ReadonlySet<number> = new Set([65, 71]);
const TRIES = 3;

/**
 * Whether anything of the attempt lives, in whatever pid namespace: the system gives its locks back when the last of it
 * ends. True also where that can not be told. False where there is no `flock`, no lock was made, or the file system
 * knows none.
 */
export async function isHeld(
  { path, lock, workerLock }: AttemptFolder,
  flock: string | undefined,
): Promise<boolean> {
  if (flock === undefined || isAbsent(lock) || isAbsent(workerLock)) return false;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const status = await lockStatus(flock, [lock, workerLock]);
    if (status === FREE || status === HELD) return status === HELD;
    if (status !== undefined && NO_LOCKS.has(status) && (await knowsNoLocks(path, flock)))
      return false;
  }
  // Whoever can not ask does not know that it is gone.
  return true;
}

/** Whether not even a lock that nobody can hold can be had beside those of an attempt. */
async function knowsNoLocks(path: string, flock: string): Promise<boolean> {
  try {
    const folder = mkdtempSync(join(path, 'lock-'));
    try {
      const fresh = join(folder, 'lock');
      writeFileSync(fresh, '', { mode: 0o400 });
      return NO_LOCKS.has((await lockStatus(flock, [fresh])) ?? FREE);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    return false;
  }
}

/** False also for what can not be looked at. */
function isAbsent(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}

/** {@link FREE} when all of the locks can be had at once, {@link HELD} when one can not. Another status is no answer. */
function lockStatus(flock: string, locks: readonly string[]): Promise<number | undefined> {
  // Shared, so that two that ask at once do not find each other.
  const ask = [flock, '--nonblock', '--shared', '--conflict-exit-code', String(HELD)];
  const [, ...args] = [...locks.flatMap((lock) => [...ask, lock]), flock, '--version'];
  return statusOf(flock, args);
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
