import { type Dirent, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { holdLock } from '@atelier/store-sqlite';
import type { Scene } from './scene.ts';

/** Worktrees, registrations of worktrees, and locks that are there although the run has ended. */
export function worktreesLeft({ folder, repo, stateDir, git }: Scene): string[] {
  const listed = git('worktree', 'list', '--porcelain')
    .split('\n')
    .filter((line) => line.startsWith('worktree ') && line !== `worktree ${repo}`);
  const registered = entries(join(repo, '.git', 'worktrees'));
  const below = [...walk(stateDir), ...walk(join(repo, '.git'))];
  const folders = below.filter(({ name }) => name === '.git');
  const commands = below.filter(({ name }) => name.startsWith('shell-'));
  // A worker's own lock is a file that stays, in its spool.
  const locks = below.filter(
    ({ name, parentPath }) => name.endsWith('.lock') && !parentPath.includes('/workers/'),
  );
  return [
    ...listed,
    ...registered.map(({ name }) => `registration ${name}`),
    ...[...folders, ...commands, ...locks].map((entry) =>
      relative(folder, join(entry.parentPath, entry.name)),
    ),
    ...heldLock(join(repo, '.git', 'atelier', 'lock.db')),
  ];
}

function heldLock(path: string): string[] {
  try {
    holdLock({ path, holder: 'whoever looks' }).release();
    return [];
  } catch (error) {
    return [`the project is still held: ${String(error)}`];
  }
}

function entries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const walk = (folder: string): Dirent[] =>
  entries(folder).flatMap((entry) =>
    entry.isDirectory() && entry.name !== 'objects'
      ? [entry, ...walk(join(folder, entry.name))]
      : [entry],
  );
