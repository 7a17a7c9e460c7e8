import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';

/** The kernel reads no more of a `#!` line. */
const LONGEST_LINE = 256;

/** The programs that a script names in its `#!` line: its interpreter and, for `env`, what that looks up on PATH. */
export interface Interpreter {
  readonly file: string;
  readonly lookedUp: string | undefined;
}

/** Reads the `#!` line of a program; undefined for a binary, or when it can not be read. */
export function interpreterOf(file: string): Interpreter | undefined {
  const [, path, rest = ''] = /^#![ \t]*(\S+)[ \t]*([^\n]*)/u.exec(headOf(file)) ?? [];
  if (path === undefined) return undefined;
  return { file: path, lookedUp: basename(path) === 'env' ? envTarget(rest) : undefined };
}

/** `-S node --flag`, `NAME=value node`: the first word that is neither an option nor an assignment. */
const envTarget = (words: string): string | undefined =>
  words
    .replace(/^-S(?=\S)/u, '')
    .split(/\s+/u)
    .find((word) => word !== '' && !word.startsWith('-') && !word.includes('='));

function headOf(file: string): string {
  try {
    const open = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(LONGEST_LINE);
      return bytes.toString('utf8', 0, readSync(open, bytes, 0, LONGEST_LINE, 0));
    } finally {
      closeSync(open);
    }
  } catch {
    return '';
  }
}
