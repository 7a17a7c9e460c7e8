import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';

/** Whether a program can be run here. Nothing is installed for a bench. */
export const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

export function script(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
}

/** What a program is run with. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

/** Runs a program to its end, without its output. Rejects, with its last words, unless it exits with 0. */
export function ran(
  file: string,
  args: readonly string[],
  { cwd, env = process.env, input }: Surroundings,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'ignore', 'pipe'] });
    let words = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-2_000);
    });
    child.once('error', reject);
    // A program that does not read its input is no fault.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${file} exited with ${code}: ${words}`)),
    );
  });
}
