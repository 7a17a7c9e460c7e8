import { isAbsolute } from 'node:path';
import type { Command } from './command.ts';
import { SandboxError } from './error.ts';
import { DEFAULT_PATH, findProgram, isProgram } from './find-program.ts';
import { installFolder, packageFile } from './install-folder.ts';
import { interpreterOf } from './interpreter.ts';
import { quoted } from './quoted.ts';
import { type Link, type Trail, trail } from './trail.ts';

/** What a program needs to be there: real paths to read, and the symlinks that lead to them. */
export interface ProgramFiles {
  readonly read: readonly string[];
  readonly links: readonly Link[];
}

/** The kernel follows no longer chain of interpreters. */
const LONGEST_CHAIN = 5;

/**
 * The program itself, its chain of interpreters and the running Node, each with what it was installed with. Throws
 * `SANDBOX_PROGRAM` naming what is missing, so that it is known before anything is spawned.
 */
export function programFiles(command: Command, exposes: (folder: string) => boolean): ProgramFiles {
  const chain = [...chainOf(command), trail(process.execPath)];
  const read = chain.flatMap(({ real }) => {
    const folder = installFolder(real, exposes);
    const beside = /\.[cm]?[jt]s$/u.test(real) ? packageFile(real) : undefined;
    return beside === undefined ? [folder] : [folder, beside];
  });
  return { read, links: chain.flatMap(({ links }) => links) };
}

function chainOf(command: Command): Trail[] {
  const chain: Trail[] = [];
  const ahead = [command.file];
  for (let file = ahead.shift(); file !== undefined; file = ahead.shift()) {
    if (chain.length >= LONGEST_CHAIN) break;
    const found = programAt(file, command.file);
    chain.push(found);
    const interpreter = interpreterOf(found.real);
    if (!interpreter) continue;
    ahead.push(interpreter.file);
    if (interpreter.lookedUp !== undefined) ahead.push(lookUp(interpreter.lookedUp, command));
  }
  return chain;
}

function programAt(file: string, program: string): Trail {
  if (isAbsolute(file) && isProgram(file)) return trail(file);
  const what =
    file === program
      ? `the program ${quoted(file)}`
      : `the interpreter ${quoted(file)} of ${quoted(program)}`;
  throw new SandboxError(
    'SANDBOX_PROGRAM',
    `${what} is not an executable file`,
    'Give the absolute path of a program that exists and may be executed.',
  );
}

function lookUp(name: string, command: Command): string {
  const path = command.env['PATH'] ?? DEFAULT_PATH;
  const found = isAbsolute(name) ? name : findProgram(name, path);
  if (found !== undefined) return found;
  throw new SandboxError(
    'SANDBOX_PROGRAM',
    `the interpreter ${quoted(name)} of ${quoted(command.file)} is not on the PATH that the command gets`,
    `Put its folder on the PATH in the command's environment (now ${quoted(path)}).`,
  );
}
