import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';

/** Where everything about one attempt lies. Absolute paths, below the run's own folder. */
export interface AttemptFolder {
  readonly path: string;
  /** What a later host needs to know the worker again. */
  readonly meta: string;
  /** One line of `/proc/PID/stat`, written by the supervisor before it starts anything. */
  readonly supervisor: string;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
  /** As old as the last time that a host saw the worker alive. For showing. */
  readonly seen: string;
  /** Complete once it ends in a line feed. */
  readonly exit: string;
  /** Without it a supervisor starts nothing. */
  readonly permit: string;
  /** Held by the supervisor until its own end. */
  readonly lock: string;
  /** Held by whatever the supervisor has started, for as long as any of it lives. */
  readonly workerLock: string;
  readonly home: string;
  readonly replyFolder: string;
  readonly replyFile: string;
}

/** Where the output of an attempt is kept, whether or not it has run. For showing; its texts are untrusted. */
export function spoolOf(runDir: string, taskId: string | number, attempt: number): AttemptFolder {
  return attemptFolder(join(attemptsOf(runDir), slugOf(String(taskId)), String(attempt)));
}

export const attemptsOf = (runDir: string): string => join(runDir, 'attempts');

export function attemptFolder(path: string): AttemptFolder {
  const replyFolder = join(path, 'reply');
  return {
    path,
    meta: join(path, 'meta.json'),
    supervisor: join(path, 'supervisor'),
    stdin: join(path, 'stdin'),
    stdout: join(path, 'stdout'),
    stderr: join(path, 'stderr'),
    seen: join(path, 'seen'),
    exit: join(path, 'exit'),
    permit: join(path, 'permit'),
    lock: join(path, 'lock'),
    workerLock: join(path, 'worker.lock'),
    home: join(path, 'home'),
    replyFolder,
    replyFile: join(replyFolder, 'reply.json'),
  };
}

/** Makes the folder of a new attempt. Throws `ATTEMPT_EXISTS` or `RUN_DIR_UNWRITABLE`. */
export function makeAttemptFolder(folder: AttemptFolder): void {
  if (existsSync(folder.path)) throw exists(folder);
  try {
    makeFolders(folder.home);
    makeFolders(folder.replyFolder);
  } catch (error) {
    throw unwritable(folder.path, error);
  }
}

/**
 * Makes a private folder and what is missing above it. Not `mkdir` with `recursive`, which never returns
 * for a folder below `/proc`.
 */
export function makeFolders(path: string): void {
  if (existsSync(path) && statSync(path).isDirectory()) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: PRIVATE });
  } catch (error) {
    // A sibling may have made it in between.
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;

export const unwritable = (path: string, cause: unknown): CliTransportError =>
  new CliTransportError(
    'RUN_DIR_UNWRITABLE',
    `can not write to ${printable(path)}: ${printable(cause)}`,
    'Free some space, or choose another state folder.',
    cause,
  );

const exists = ({ path }: AttemptFolder): CliTransportError =>
  new CliTransportError(
    'ATTEMPT_EXISTS',
    `${printable(path)} is there already`,
    'An attempt is started once. Give each run a folder of its own.',
  );

const PRIVATE = 0o700;

const SHOWN_LENGTH = 32;
const HASH_LENGTH = 16;

/** A folder's name for a task: readable at the front, told apart by the hash at the end. */
function slugOf(taskId: string): string {
  const shown = taskId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SHOWN_LENGTH)
    .replace(/^-+|-+$/g, '');
  const hash = createHash('sha256').update(taskId, 'utf16le').digest('hex').slice(0, HASH_LENGTH);
  return shown === '' ? hash : `${shown}-${hash}`;
}
