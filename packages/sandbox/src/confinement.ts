import { lstatSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Access } from './access.ts';
import { checkOverlaps, type OpenedPaths } from './check-overlaps.ts';
import type { Command } from './command.ts';
import { contains, outermost } from './containment.ts';
import { refused } from './error.ts';
import { frozenPaths } from './frozen-paths.ts';
import { type GitFolders, gitFolders } from './git-folders.ts';
import { givenPath } from './given-path.ts';
import { programFiles } from './program-files.ts';
import { quoted } from './quoted.ts';
import { type OpenedSocket, socketAccess } from './socket-access.ts';
import type { Link, Trail } from './trail.ts';

/** A command and its access, checked and resolved: what every kind of wall is built from. Real paths throughout. */
export interface Confinement {
  readonly command: Command;
  readonly cwd: string;
  readonly worktree: string;
  readonly readOnly: boolean;
  /** Inside the worktree, outermost only. */
  readonly frozen: readonly string[];
  readonly home: string;
  /** Given and found paths, outermost only, without what the system's folders or a writable path contain. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly git: GitFolders;
  readonly links: readonly Link[];
  readonly sockets: readonly OpenedSocket[];
}

/** Throws what {@link Sandbox.wrap} documents. `system` are the folders that are readable in any case. */
export function confine(command: Command, access: Access, system: readonly string[]): Confinement {
  const tree = folderOf('worktree', access.worktree);
  const worktree = tree.real;
  const home = folderOf('private HOME', access.home).real;
  const cwd = command.cwd === access.worktree ? tree : givenPath('working folder', command.cwd);
  if (!contains(worktree, cwd.real))
    throw refused(
      `the working folder ${quoted(command.cwd)} is not in the worktree`,
      'Start the command in its worktree.',
    );
  const read = access.read.map((path) => givenPath('read path', path));
  const write = access.write.map((path) => givenPath('write path', path));
  const opened: OpenedPaths = {
    worktree,
    home,
    read: read.map(({ real }) => real),
    write: write.map(({ real }) => real),
    git: gitFolders(worktree),
  };
  checkOverlaps(opened);
  const program = programFiles(command, exposing(opened));
  const shadowed = [...system, worktree, ...opened.write];
  const readable = outermost([...opened.read, ...program.read]).filter(
    (path) => !shadowed.some((folder) => contains(folder, path)),
  );
  const given = [tree, cwd, ...read, ...write];
  return {
    ...opened,
    command,
    readOnly: access.readOnly === true,
    frozen: frozenPaths(access.frozen ?? [], worktree),
    cwd: cwd.real,
    read: readable,
    links: [...given.flatMap(({ links }) => links), ...program.links],
    sockets: socketAccess(access.sockets, [...shadowed, home, ...readable, opened.git.common]),
  };
}

/** A folder that is not itself a symlink: whoever could turn the link would choose what is opened. */
function folderOf(purpose: string, path: string): Trail {
  const found = givenPath(purpose, path);
  const { real } = found;
  if (lstatSync(path.replace(/(?<=.)\/$/u, '')).isSymbolicLink())
    throw refused(
      `the ${purpose} ${quoted(path)} is a symlink`,
      `Give the folder itself: ${quoted(real)}.`,
    );
  if (!statSync(real).isDirectory())
    throw refused(`the ${purpose} ${quoted(path)} is not a folder`, 'Give a folder.');
  return found;
}

/** Folders that are too much for a program's own install folder. */
function exposing({ worktree, home, write, git }: OpenedPaths): (folder: string) => boolean {
  const user = homedir();
  const own = [user, join(user, '.local/share'), join(user, '.local/state')];
  const kept = [...own, worktree, home, git.common, ...write];
  return (folder) => dirname(folder) === '/' || kept.some((path) => contains(folder, path));
}
