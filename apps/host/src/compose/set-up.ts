import { lstatSync } from 'node:fs';
import type { Shell } from '@atelier/acceptance';
import { printable } from '@atelier/envelope';
import type { Run, RunRequest } from '@atelier/worktrees';
import { HostError } from '../host-error.ts';

/** Installing what a project needs may take long; a command that waits for input never ends. */
const COMMAND_MS = 900_000;

/** Code points of a command's last words in an error. */
const LAST_WORDS = 400;

/** Runs the commands of a plan's `setup` in a fresh worktree. Rejects with `SETUP_FAILED` at the first that fails. */
export function setUpBy(
  shell: Shell,
  commands: readonly string[],
): NonNullable<RunRequest['setUp']> {
  return async ({ path: worktree, frozen }, signal) => {
    const before = placesOf(frozen);
    for (const command of commands) {
      // Each command has walls of its own: what the last one moved would be writable for the next.
      if (placesOf(frozen).join() !== before.join())
        throw new HostError(
          'SETUP_FAILED',
          'the set-up of a worktree moved what it may only read',
          'Have it leave linked folders, and the folders that they are in, where they are.',
        );
      const call = { command, worktree, frozen, timeoutMs: COMMAND_MS };
      const end = await shell({ ...call, ...(signal ? { signal } : {}) });
      if (end.kind === 'exited' && end.exitCode === 0) continue;
      const how = end.kind === 'exited' ? `exited with ${end.exitCode}` : end.kind;
      const words =
        end.kind === 'failed' ? end.detail : [...end.output].slice(-LAST_WORDS).join('');
      throw new HostError(
        'SETUP_FAILED',
        `the set-up of a worktree failed: ${printable(command, 100)} ${how}: ${printable(words.trim(), LAST_WORDS)}`,
        'It runs inside the sandbox, without network: give it what it needs with worktree.copy, worktree.link or sandbox.read.',
      );
    }
  };
}

const placesOf = (paths: readonly string[]): (number | undefined)[] =>
  paths.map((path) => lstatSync(path, { throwIfNoEntry: false })?.ino);

/**
 * Tries the set-up of worktrees once, before any attempt is charged for it. Throws `SETUP_FAILED`, or
 * `SETUP_CHANGES_FILES` when what it leaves would look like the work of every task.
 */
export async function assertReady(run: Run): Promise<void> {
  const scratch = await run.checkout(await run.tip());
  await scratch.dispose();
}
