import { closeSync, openSync, readSync } from 'node:fs';
import type { Usage } from '@atelier/engine';
import type { AgentSignal, OutputReader } from './output-reader.ts';

/** Standard output that is read as it grows. */
export interface FollowedOutput {
  /** Reads on towards `size`, the file's by now, at most 1 MiB further. */
  look(size: number): readonly AgentSignal[];
  /** Reads what is left of the output; for when nobody writes to it any more. */
  rest(): readonly AgentSignal[];
  usage(): Usage;
}

const PIECE = 256 * 1024;
const PIECES_A_LOOK = 4;
const LONGEST_LINE = 1024 * 1024;
const LINE_FEED = 0x0a;

/**
 * Hands each complete line of a file to a reader, once, as the file grows to `limit` bytes at most. No more than one
 * line and one piece is in memory. A file that can not be read has no lines; a reader that throws is not asked again.
 */
export function followOutput(path: string, reader: OutputReader, limit: number): FollowedOutput {
  const lines = lineCutter();
  let offset = 0;
  let broken = false;
  let known: Usage = {};

  const read = (pieces: number, size: number): readonly AgentSignal[] => {
    const end = Math.min(size, limit);
    const signals: AgentSignal[] = [];
    for (let piece = 0; piece < pieces && offset < end && !broken; piece += 1) {
      const bytes = readPiece(path, offset, Math.min(PIECE, end - offset));
      offset += bytes.length;
      const told = lines(bytes);
      try {
        if (told.length > 0) {
          signals.push(...reader.read(told));
          known = reader.usage();
        }
      } catch {
        broken = true;
      }
      if (bytes.length < PIECE) break;
    }
    return signals;
  };

  return {
    look: (size) => read(PIECES_A_LOOK, size),
    rest: () => read(Number.POSITIVE_INFINITY, limit),
    usage: () => known,
  };
}

/** Cuts a stream of bytes into lines; what is not yet a line is kept for the next bytes. */
function lineCutter(): (bytes: Buffer) => string[] {
  let kept: Buffer[] = [];
  let length = 0;
  let tooLong = false;
  const keep = (bytes: Buffer) => {
    length += bytes.length;
    if (length > LONGEST_LINE) tooLong = true;
    kept = tooLong ? [] : [...kept, bytes];
  };
  return (bytes) => {
    const lines: string[] = [];
    let from = 0;
    for (;;) {
      const end = bytes.indexOf(LINE_FEED, from);
      if (end < 0) break;
      keep(bytes.subarray(from, end));
      if (!tooLong) lines.push(Buffer.concat(kept).toString('utf8'));
      kept = [];
      length = 0;
      tooLong = false;
      from = end + 1;
    }
    if (from < bytes.length) keep(bytes.subarray(from));
    return lines;
  };
}

const NOTHING = Buffer.alloc(0);

function readPiece(path: string, from: number, length: number): Buffer {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, from));
  } catch {
    return NOTHING;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
