import { randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { printable } from '@atelier/envelope';
import { HostError } from '../host-error.ts';

const FOLDER = '.ai';

/** Where the mode of a project is kept, below the top of its checkout. */
export const MARKER = '.ai/atelier.mode';

/** Characters. No mode is as long. */
const LONGEST = 200;

/** Whether anything is in the place of the marker of a checkout. Two looks at the disk. */
export const hasMarker = (topLevel: string): boolean =>
  statusOf(join(topLevel, FOLDER)) !== undefined && statusOf(join(topLevel, MARKER)) !== undefined;

/**
 * The line of the marker without its break; undefined where there is none, where nobody may read it, and where it is blank.
 * What has more than one line is given as it is. Throws `DISPATCH_MODE_MARKER` for a marker, or a folder around it, that
 * is a link or otherwise not what it has to be.
 */
export function readMarker(topLevel: string): string | undefined {
  const folder = statusOf(join(topLevel, FOLDER));
  const file = statusOf(join(topLevel, MARKER));
  // Other tools may have a file or a link there: without a marker behind it, it is none of ours.
  if (!folder || !file) return undefined;
  assertFolder(folder, topLevel);
  if (!file.isFile())
    throw unfit(topLevel, MARKER, file.isSymbolicLink() ? LINK : 'is no plain file');
  const text = textOf(join(topLevel, MARKER));
  if (text.length > LONGEST) return text.slice(0, LONGEST);
  const line = text.replace(/\r?\n$/u, '');
  return line.trim() === '' ? undefined : line.replace(/^ +| +$/gu, '');
}

/** Writes one line, so that no reader sees half of it. Throws `DISPATCH_MODE_MARKER`, and then nothing was written. */
export function writeMarker(topLevel: string, line: string): void {
  const folder = lstatSync(join(topLevel, FOLDER), { throwIfNoEntry: false });
  if (folder) assertFolder(folder, topLevel);
  else mkdirSync(join(topLevel, FOLDER));
  const ignore = join(topLevel, FOLDER, '.gitignore');
  // One that is there is the user's.
  try {
    if (!existsSync(ignore)) writeBeside(ignore, '/.gitignore\n/atelier.mode*\n');
    writeBeside(join(topLevel, MARKER), `${line}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    throw unfit(topLevel, MARKER, `can not be written: ${why}`);
  }
}

/** A link that is in the place is replaced, not followed. */
export function writeBeside(path: string, text: string): void {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  try {
    writeFileSync(part, text, { flag: 'wx' });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function assertFolder(status: Stats, topLevel: string): void {
  if (!status.isDirectory())
    throw unfit(topLevel, FOLDER, status.isSymbolicLink() ? LINK : 'is no folder');
}

const LINK = 'is a symbolic link';

const unfit = (topLevel: string, what: string, fault: string): HostError =>
  new HostError(
    'DISPATCH_MODE_MARKER',
    `${what} ${fault}`,
    `Put it right in ${printable(topLevel, 4096)} or take it away; ATELIER_DISPATCH_MODE says the mode without it.`,
  );
