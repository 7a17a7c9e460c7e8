import { lstatSync, type Stats, statSync } from 'node:fs';
import { contains, outermost } from './containment.ts';
import { refused } from './error.ts';
import { givenPath } from './given-path.ts';
import { quoted } from './quoted.ts';

/**
 * The real paths of what stays closed in a worktree that may be written. Throws `SANDBOX_ACCESS` naming the path: for
 * one outside the worktree, and for one over a symlink, which could be turned so that something else is closed.
 */
export function frozenPaths(paths: readonly string[], worktree: string): readonly string[] {
  return outermost(paths.map((path) => frozenPath(path, worktree)));
}

function frozenPath(path: string, worktree: string): string {
  const { real, links } = givenPath('frozen path', path);
  if (isLink(path) || links.some(({ at }) => contains(worktree, at)))
    throw refused(
      `the frozen path ${quoted(path)} is a symlink, or leads over one`,
      `Give the path without symlinks: ${quoted(real)}.`,
    );
  if (real === worktree || !contains(worktree, real))
    throw refused(
      `the frozen path ${quoted(path)} is not inside the worktree`,
      'Outside nothing can be written anyway; readOnly closes the worktree as a whole.',
    );
  if (!isPlain(statSync(real)))
    throw refused(
      `the frozen path ${quoted(path)} is neither a file nor a folder`,
      'A pipe or a socket can be written through a mount that is read-only.',
    );
  return real;
}

const isLink = (path: string): boolean =>
  lstatSync(path.replace(/(?<=.)\/$/u, '')).isSymbolicLink();

const isPlain = (kind: Stats): boolean => kind.isFile() || kind.isDirectory();
