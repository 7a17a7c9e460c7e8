import { contains, overlap } from './containment.ts';
import { refused } from './error.ts';
import type { GitFolders } from './git-folders.ts';
import { quoted } from './quoted.ts';

/** The real paths of an access. */
export interface OpenedPaths {
  readonly worktree: string;
  readonly home: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly git: GitFolders;
}

/** Made anew inside: what the host keeps there stays outside, sockets and other processes included. */
const PRIVATE = ['/dev', '/proc', '/run', '/tmp'];
const SYSTEM = ['/usr', '/etc', '/bin', '/sbin', '/lib', '/sys'];

interface Named {
  readonly name: string;
  readonly path: string;
}

/**
 * Refuses paths of which one would re-open what another one closes: `SANDBOX_ACCESS`, naming both. What may be written
 * overlaps nothing else; what may only be read may lie above the git folder, which is closed again after it.
 */
export function checkOverlaps({ worktree, home, read, write, git }: OpenedPaths): void {
  const writable: Named[] = [
    { name: 'worktree', path: worktree },
    { name: 'private HOME', path: home },
    ...write.map((path) => ({ name: 'write path', path })),
  ];
  const readable = read.map((path) => ({ name: 'read path', path }));
  for (const one of readable) checkReserved(one, PRIVATE);
  for (const one of writable) checkReserved(one, [...PRIVATE, ...SYSTEM]);
  for (const [index, one] of writable.entries()) {
    for (const other of [...writable.slice(index + 1), ...readable])
      if (overlap(one.path, other.path)) throw entangled(one, other);
    const common = { name: 'git folder', path: git.common };
    if (git.common !== git.pointer && overlap(one.path, git.common)) throw entangled(one, common);
  }
  for (const one of readable)
    if (git.journal !== undefined && contains(git.journal, one.path))
      throw entangled(one, { name: 'hidden run data', path: git.journal });
}

function checkReserved({ name, path }: Named, reserved: readonly string[]): void {
  const hit =
    reserved.find((folder) => contains(path, folder)) ??
    ['/dev', '/proc'].find((folder) => contains(folder, path));
  if (hit === undefined) return;
  throw refused(
    `the ${name} ${quoted(path)} would open ${hit} of the host`,
    'Name the folders that are needed, one by one.',
  );
}

const entangled = (one: Named, other: Named): Error =>
  refused(
    `the ${one.name} ${quoted(one.path)} and the ${other.name} ${quoted(other.path)} overlap`,
    'Neither may contain the other: one of them would re-open what the other closes.',
  );
