import { spawn } from 'node:child_process';
import type { Command } from '../command.ts';

/** How a run behind the walls ended. */
export interface Ending {
  readonly exitCode: number | null;
  readonly output: string;
  readonly errors: string;
}

/** A wall that swallows everything must not hold the self-test up for ever. */
const MOST_MS = 30_000;
const MOST_OUTPUT = 1_000_000;

/** Spawns a wrapped command and waits for its end. `leak` is set in the environment that must not come through. */
export function runInside(command: Command, leak: Record<string, string>): Promise<Ending> {
  return new Promise((resolve) => {
    const { file, args, cwd, env } = command;
    const child = spawn(file, args, {
      cwd,
      env: { ...env, ...leak },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS);
    let output = '';
    let errors = '';
    const settle = (exitCode: number | null): void => {
      clearTimeout(timer);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ exitCode, output, errors });
    };
    child.stdout.on('data', (chunk) => {
      if (output.length < MOST_OUTPUT) output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      if (errors.length < MOST_OUTPUT) errors += chunk;
    });
    child.on('error', ({ message }) => {
      errors += message;
      settle(null);
    });
    // What survives may hold the pipes: the exit counts, and what had arrived by the next turn.
    child.on('exit', (code) => setImmediate(() => setImmediate(() => settle(code))));
  });
}
