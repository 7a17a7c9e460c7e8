import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';

/** What is read below `/proc`. Each throws what the system says. */
export interface Proc {
  names(path: string): readonly string[];
  target(path: string): string;
  text(path: string, encoding?: 'latin1' | 'utf8'): string;
  /** Each entry of an environment between two NUL bytes. Valid until the next call. */
  environment(pid: number): Buffer;
  file(path: string): Pick<Stats, 'ino' | 'dev' | 'ctimeMs'>;
}

export const machineProc: Proc = Object.freeze<Proc>({
  names: (path) => readdirSync(path),
  target: (path) => readlinkSync(path),
  text: (path, encoding = 'latin1') => readFileSync(path, encoding),
  environment: environmentOf,
  file: (path) => statSync(path),
});

/** Used again for each of the hundreds of processes of a machine; it begins with the boundary that every entry has. */
const scratch = Buffer.alloc(64 * 1024);
const NUL = Buffer.alloc(1);

function environmentOf(pid: number): Buffer {
  const path = `/proc/${pid}/environ`;
  const file = openSync(path, 'r');
  try {
    const read = readSync(file, scratch, 1, scratch.length - 1, 0);
    const isCut = read === scratch.length - 1;
    return isCut ? Buffer.concat([NUL, readFileSync(path)]) : scratch.subarray(0, read + 1);
  } finally {
    closeSync(file);
  }
}

const GONE: ReadonlySet<unknown> = new Set(['ENOENT', 'ESRCH', 'ENOTDIR']);
const REFUSED: ReadonlySet<unknown> = new Set(['EACCES', 'EPERM']);

/** Processes end while they are looked at. Throws `WORKER_UNSTOPPABLE` where that is not why there is nothing to read. */
export function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (GONE.has(codeOf(error))) return otherwise;
    throw blind(error);
  }
}

/** The same, but for what is not ours to read. */
export function unlessRefused<T, R>(read: () => T, gone: T, refused: R): T | R {
  try {
    return read();
  } catch (error) {
    if (GONE.has(codeOf(error))) return gone;
    if (REFUSED.has(codeOf(error))) return refused;
    throw blind(error);
  }
}

/** For what is only told as far as it can be read. */
export function ifReadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Whoever can not look must not take a process for gone: what can not be told is what can not be ended. */
export const blind = (cause: unknown): CliTransportError =>
  new CliTransportError(
    'WORKER_UNSTOPPABLE',
    `whether a process lives can not be told: ${printable(cause)}`,
    'Look whether /proc may be read, and at the limit of open files: ulimit -n.',
    cause,
  );

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException | undefined)?.code;
