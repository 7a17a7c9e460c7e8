import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';

/**
 * The absolute path of a program: looked up on the host's PATH, or, when it has a slash, from the current
 * folder. Throws `PROGRAM_NOT_FOUND` naming it.
 */
export function findProgram(program: string): string {
  const found = candidates(program).find(isExecutable);
  if (found !== undefined) return found;
  throw new CliTransportError(
    'PROGRAM_NOT_FOUND',
    `the program ${JSON.stringify(printable(program))} is not there, or can not be executed`,
    program.includes('/')
      ? 'Check the path, and that the file is executable.'
      : 'Install it, or give its absolute path; it is looked up on the PATH of the host.',
  );
}

function candidates(program: string): string[] {
  if (program === '' || program.includes('\0')) return [];
  if (program.includes('/')) return [resolve(program)];
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, program));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A `timeout` that knows the options we need; undefined on macOS and where it is another program. */
export const findTimeout = (): string | undefined =>
  findWorking('timeout', ['--foreground', '-k', '0.5', '9.5', 'timeout', '--version']);

/** A `flock` that knows the options we need; undefined where it is another program, or none. */
export const findFlock = (): string | undefined =>
  findWorking('flock', [
    '--nonblock',
    '--shared',
    '--conflict-exit-code',
    '9',
    '-w',
    '9',
    '--version',
  ]);

function findWorking(program: string, args: readonly string[]): string | undefined {
  const found = candidates(program).find(isExecutable);
  if (found === undefined) return undefined;
  const { status } = spawnSync(found, args, { stdio: 'ignore', timeout: 10_000 });
  return status === 0 ? found : undefined;
}
