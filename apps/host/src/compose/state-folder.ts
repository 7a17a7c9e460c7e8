import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { HostError } from '../host-error.ts';

/** Makes a private folder for state. Throws `STATE_DIR_UNWRITABLE` naming it. */
export function stateFolder(path: string): string {
  try {
    makeFolder(path);
    accessSync(path, constants.W_OK | constants.X_OK);
    assertOwn(path);
    return path;
  } catch (error) {
    throw new HostError(
      'STATE_DIR_UNWRITABLE',
      `can not write to ${path}: ${error instanceof Error ? error.message : String(error)}`,
      'Free some space or set its permissions, or choose another folder with --state-dir.',
    );
  }
}

/** Step by step: where no folder can be made at all, as in /proc, a recursive mkdir never returns. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Whoever else can write there could put links in the way of what is written. */
function assertOwn(path: string): void {
  const { uid, mode } = statSync(path);
  const foreign = process.getuid !== undefined && uid !== process.getuid();
  if (foreign || (mode & 0o022) !== 0)
    throw new Error('it belongs to another user, or others can write to it');
}
