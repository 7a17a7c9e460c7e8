import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  type Stats,
  truncateSync,
} from 'node:fs';
import type { AgentOutput } from './agent.ts';
import type { AttemptFolder } from './attempt-folder.ts';
import type { Limits } from './options.ts';

/** How much there is of what a worker writes, and a text that changes whenever any of it does. */
export interface SpoolSize {
  readonly stdoutBytes: number;
  readonly stderrBytes: number;
  readonly replyBytes: number;
  readonly trace: string;
}

/** Cheap: looks at sizes and times, reads nothing. */
export function measureSpool({ stdout, stderr, replyFolder, replyFile }: AttemptFolder): SpoolSize {
  const [out, err, folder, reply] = [stdout, stderr, replyFolder, replyFile].map((path) =>
    lookAt(path),
  );
  const trace = [out, err, folder, reply].map((one) => `${one?.size} ${one?.mtimeMs}`).join(' ');
  return {
    stdoutBytes: out?.size ?? 0,
    stderrBytes: err?.size ?? 0,
    replyBytes: reply?.size ?? 0,
    trace,
  };
}

/** What a worker has left behind, and what is wrong with its reply file. */
export interface SpoolContent {
  readonly output: AgentOutput;
  readonly stderrBytes: number;
  readonly replyBytes: number;
  /** It is a link, a pipe, a folder, or closed to us. */
  readonly replyFault: 'unreadable' | undefined;
}

/**
 * Reads the spool without consuming it; no more of it than the limits allow is ever in memory. Reads
 * block: they are of small files that were just written, and a reaction must not wait for other reads.
 */
export function readSpool(folder: AttemptFolder, limits: Limits): SpoolContent {
  const stdout = readEnd(folder.stdout, limits.stdoutBytes, 'start');
  const stderr = readEnd(folder.stderr, limits.stderrTailBytes, 'end');
  const reply = readReply(folder.replyFile, limits.replyBytes);
  return {
    output: {
      stdout: stdout.text,
      stdoutBytes: stdout.size,
      stderr: stderr.text,
      replyText: reply.text,
    },
    stderrBytes: stderr.size,
    replyBytes: reply.size,
    replyFault: reply.fault,
  };
}

/** Gives back the disk that output beyond the limit took. */
export function cutSpool(
  { stdout, stderr }: AttemptFolder,
  { output, stderrBytes }: SpoolContent,
  limits: Limits,
): void {
  const limit = limits.stdoutBytes;
  // A link that took the place of one is not followed.
  const isLonger = (path: string) => (lookAt(path)?.size ?? 0) > limit;
  if (output.stdoutBytes > limit && isLonger(stdout)) truncateSync(stdout, limit);
  if (stderrBytes > limit && isLonger(stderr)) truncateSync(stderr, limit);
}

const ABSENT = { text: '', size: 0 };

function readEnd(path: string, limit: number, end: 'start' | 'end') {
  try {
    return withFile(path, constants.O_RDONLY, (file) => {
      const { size } = fstatSync(file);
      const length = Math.min(size, limit);
      return { size, text: readAt(file, end === 'start' ? 0 : size - length, length) };
    });
  } catch {
    return ABSENT;
  }
}

interface ReplyFile {
  readonly text: string | undefined;
  readonly size: number;
  readonly fault: SpoolContent['replyFault'];
}

const NO_REPLY: ReplyFile = { text: undefined, size: 0, fault: undefined };
const UNREADABLE: ReplyFile = { ...NO_REPLY, fault: 'unreadable' };

/** The worker owns the folder: the file may be a link out of it, or a pipe that would block. Neither is followed. */
function readReply(path: string, limit: number): ReplyFile {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  try {
    return withFile(path, flags, (file) => {
      const found = fstatSync(file);
      if (!found.isFile()) return UNREADABLE;
      const { size } = found;
      return { text: size > limit ? undefined : readAt(file, 0, size), size, fault: undefined };
    });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? NO_REPLY : UNREADABLE;
  }
}

function withFile<T>(path: string, flags: number, read: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return read(file);
  } finally {
    closeSync(file);
  }
}

function readAt(file: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(file, bytes, filled, length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.toString('utf8', 0, filled);
}

/** Follows no link. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
