import { closeSync, constants, futimesSync, lstatSync, openSync } from 'node:fs';
import { type AttemptFolder, isWorkerAlive, spoolOf } from '@atelier/cli-transport';
import type { TaskId } from '@atelier/engine';

/** What can be seen of the worker of one attempt, by whoever looks. Times are epoch milliseconds. */
export interface WorkerSigns {
  isAlive(): boolean;
  /** When it last wrote to either output; undefined before the first byte. */
  wroteAt(): number | undefined;
  /** When a host last noted that it lives. */
  notedAt(): number | undefined;
  /** Notes that it was alive then. What can not be written is not missed. */
  note(at: number): void;
}

/** The signs of any attempt, by the folder of its run's workers. */
export type SignsOf = (taskId: TaskId, attempt: number) => WorkerSigns;

export const workerSigns =
  (workers: string): SignsOf =>
  (taskId, attempt) => {
    const folder = spoolOf(workers, taskId, attempt);
    return {
      isAlive: () => isWorkerAlive(folder),
      wroteAt: () => lastOutput(folder),
      notedAt: () => lookAt(folder.seen)?.mtimeMs,
      note: (at) => touch(folder.seen, at),
    };
  };

function lastOutput({ stdout, stderr }: AttemptFolder): number | undefined {
  const written = [stdout, stderr].flatMap((path) => {
    const file = lookAt(path);
    return file && file.size > 0 ? [file.mtimeMs] : [];
  });
  return written.length === 0 ? undefined : Math.max(...written);
}

/** Follows no link, and is no error where there is nothing. */
function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const OWN_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW;

function touch(path: string, at: number): void {
  try {
    const file = openSync(path, OWN_FILE, 0o600);
    try {
      futimesSync(file, at / 1000, at / 1000);
    } finally {
      closeSync(file);
    }
  } catch {
    // The attempt has ended and its folder is gone, or the disk is full.
  }
}
