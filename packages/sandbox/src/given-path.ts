import { isAbsolute, normalize } from 'node:path';
import { refused } from './error.ts';
import { quoted } from './quoted.ts';
import { type Trail, trail } from './trail.ts';

/**
 * A path that the caller gave: absolute, without `..`, and there. Throws `SANDBOX_ACCESS` naming what it was meant for;
 * a path that is skipped in silence would be a worker that fails for a reason nobody sees.
 */
export function givenPath(purpose: string, path: string): Trail {
  assertPlain(purpose, path);
  try {
    return trail(path);
  } catch (error) {
    throw refused(
      `the ${purpose} ${quoted(path)} can not be reached`,
      'Create it first, or take it out of the access.',
      error,
    );
  }
}

/** Throws `SANDBOX_ACCESS` for a path that is relative or not in its plain form. */
export function assertPlain(purpose: string, path: string): void {
  const plain = isAbsolute(path) && normalize(path).replace(/(?<=.)\/$/u, '') === trimmed(path);
  if (plain && !path.includes('\0')) return;
  throw refused(
    `the ${purpose} ${quoted(path)} is not a plain absolute path`,
    'Give an absolute path without "..", "." or doubled slashes.',
  );
}

const trimmed = (path: string): string => path.replace(/(?<=.)\/$/u, '');
