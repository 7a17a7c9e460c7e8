import { codeOf, WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';

const LOCK_FILE = /Unable to create '([^'\n]+\.lock)': File exists/;
const LOCK_NAMED = /could not lock config file ([^\n]+?): File exists/;
/** What git says when it meets a registration that another git is just writing, or the last of which just went. */
const HALF_WRITTEN =
  /(?:failed to read|could not open|unable to read)[^\n]*\/worktrees\/|could not create directory of[^\n]*\/worktrees\/[^\n]*No such file/i;

/** The error for a git command that ended with `exitCode`. A lock in the way is named. */
export function gitFailure(command: string, exitCode: number, stderr: string): WorktreeError {
  const lock = LOCK_FILE.exec(stderr)?.[1] ?? LOCK_NAMED.exec(stderr)?.[1];
  if (lock !== undefined)
    return new WorktreeError(
      'GIT_LOCKED',
      `git ${command} is held up by the lock ${shown(lock)}`,
      'Remove that file if no git runs in this repository; it is left alone because its owner may live.',
    );
  if (HALF_WRITTEN.test(stderr))
    return new WorktreeError(
      'GIT_LOCKED',
      `git ${command} met a worktree that is just being made: ${shown(lastLine(stderr))}`,
      'Try again; if it stays, git worktree list names the entry.',
    );
  return new WorktreeError(
    'GIT_FAILED',
    `git ${command} failed with exit code ${exitCode}: ${shown(lastLine(stderr))}`,
    'The message is git’s own; running the command by hand in the repository may say more.',
  );
}

/** The last line that says something: earlier ones are warnings and advice. */
function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '' && !/^hint:/.test(line));
  return lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? 'no message';
}

/** Milliseconds between tries; about four seconds in all. */
const PAUSES: readonly number[] = [20, 40, 80, 160, 320, 640, 1280, 1280];

/** Tries again while another git holds a lock. A lock that stays is the last error, and still there. */
export async function pastLocks<T>(step: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES) {
    try {
      return await step();
    } catch (error) {
      if (codeOf(error) !== 'GIT_LOCKED') throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random())));
  }
  return step();
}
