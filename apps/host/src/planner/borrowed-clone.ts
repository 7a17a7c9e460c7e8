import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '@atelier/worktrees';

/** A repository of the host's own, and what has to be readable for its objects to be. */
export interface BorrowedClone {
  readonly path: string;
  readonly objects: string;
}

/**
 * Makes a repository at the HEAD of the clone that has no object of its own: it reads the clone's. Worktrees and branches
 * that are made in it leave no trace in the clone, not even when the host is killed. Plain files, so that nothing of
 * the clone's config, hooks or refs comes along.
 */
export function borrowedClone(
  { commonDir, head }: Pick<Repository, 'commonDir' | 'head'>,
  path: string,
): BorrowedClone {
  const git = join(path, '.git');
  const objects = join(commonDir, 'objects');
  mkdirSync(join(git, 'objects', 'info'), { recursive: true, mode: 0o700 });
  mkdirSync(join(git, 'refs', 'heads'), { recursive: true });
  writeFileSync(join(git, 'objects', 'info', 'alternates'), `${objects}\n`);
  writeFileSync(join(git, 'config'), configFor(head));
  const shallow = join(commonDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(git, 'shallow'));
  // Last: without it the folder is no repository.
  writeFileSync(join(git, 'HEAD'), `${head}\n`);
  return { path, objects };
}

const SHA256_LENGTH = 64;

const configFor = (head: string): string =>
  head.length === SHA256_LENGTH
    ? '[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = sha256\n'
    : '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
