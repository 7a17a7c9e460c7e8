import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { printable } from '@atelier/envelope';
import { findProgram } from '../find-program.ts';

/** Removes a folder that a foreign program has filled; tells when something of it stays. Never rejects. */
export async function removeFolder(path: string, warn: (message: string) => void): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    // Closed folders, and paths that are longer than a call of the system takes.
    await run('chmod', '-R', 'u+rwx', '--', path).catch(() => undefined);
    await run('rm', '-rf', '--', path).catch((error: unknown) =>
      warn(`can not remove ${printable(path)}: ${printable(error)}`),
    );
  }
}

const run = async (program: string, ...args: readonly string[]): Promise<unknown> =>
  promisify(execFile)(findProgram(program), args);
