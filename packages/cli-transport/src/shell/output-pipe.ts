import { execFile } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '../find-program.ts';
import { tailOf } from './tail.ts';

const OUTPUT_BYTES = 64 * 1024;

/** What a command prints on both of its outputs, in its order; only the end is kept, and nothing on disk. */
export interface OutputPipe {
  /** For the command. Close it once that has it. */
  readonly writeEnd: number;
  text(): string;
  /** Resolves when nobody can write any more; never rejects. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Where the pipe of a command is, in its folder. */
export const outputOf = (folder: string): string => join(folder, 'output');

/**
 * A pipe whose name goes with the folder: by it a later host finds whatever has it open. Not the `pipe` of Node's spawn:
 * there are two of these, and they are sockets, which a program can not open again as `/dev/stderr`.
 */
export async function outputPipe(folder: string): Promise<OutputPipe> {
  const path = outputOf(folder);
  await promisify(execFile)(findProgram('mkfifo'), ['-m', '600', path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const writeEnd = openSync(path, constants.O_WRONLY);
    return { writeEnd, ...collected(readEnd) };
  } catch (error) {
    closeSync(readEnd);
    throw error;
  }
}

function collected(readEnd: number): Omit<OutputPipe, 'writeEnd'> {
  const tail = tailOf(OUTPUT_BYTES);
  const socket = new Socket({ fd: readEnd, readable: true, writable: false });
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', (chunk) => tail.push(chunk));
  // What arrived counts; how the pipe broke does not.
  socket.on('error', () => undefined);
  return { text: tail.text, ended, close: () => void socket.destroy() };
}
