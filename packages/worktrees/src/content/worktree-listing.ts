import { lstat, readdir, realpath } from 'node:fs/promises';
import { belowFolder, nameOf } from '../git/nul-list.ts';
import {
  compareAndWalk,
  type Desk,
  listRepositories,
  listUntracked,
  type Walk,
  walkOnce,
} from './untracked.ts';

/** What differs between a worktree and its index, by path in bytes. */
export interface Listing {
  readonly gone: readonly Buffer[];
  readonly present: readonly Buffer[];
  /** Repositories inside, and whatever sits where a submodule belongs. Their files may be in `present`. */
  readonly nested: readonly Buffer[];
  /** Git has named every file that is there, so that it ignores none. False where that is not known. */
  readonly isAll: boolean;
}

/**
 * Lists tracked files that changed and untracked ones that are not ignored or are to be produced. What is frozen
 * is passed over. Never lets git look at a folder’s own repository: that would run what its config says.
 */
export async function listWorktree(desk: Desk): Promise<Listing> {
  const { edited, walk } = await compareAndWalk(desk);
  const untracked = await listUntracked(desk, walk);
  const folder = Buffer.from(desk.path);
  const kindOf = async (name: Buffer) => ({ name, kind: await kindAt(belowFolder(folder, name)) });
  // What git calls deleted may be found again behind a symbolic link that took its folder’s place.
  const deleted = edited.filter(({ status }) => status === 'D').map(({ name }) => name);
  const others = edited.filter(({ status }) => status !== 'D').map(({ name }) => name);
  const tracked = await Promise.all(others.map(kindOf));
  const taken = await filterAsync(edited, ({ name }) => isRepository(belowFolder(folder, name)));
  const inside = await listRepositories(
    desk,
    taken.map(({ name }) => name),
  );
  const added = await Promise.all([...untracked.files, ...inside.files].map(kindOf));
  const links = await Promise.all(untracked.submodules.map(kindOf));
  const pointer = await kindOf(Buffer.from('.git'));

  const isContent = ({ kind }: { kind: Kind }) => kind === 'file' || kind === 'placeholder';
  const named = (found: readonly { name: Buffer }[]) => found.map(({ name }) => name);
  const gone = [...deleted, ...named(tracked.filter((one) => !isContent(one)))];
  return {
    gone,
    isAll: pointer.kind === 'file' && namesAll(desk, walk, gone.length),
    present: [
      ...named(tracked.filter(isContent)),
      ...named(added.filter(({ kind }) => kind === 'file')),
    ],
    nested: [
      ...untracked.nested,
      ...inside.nested,
      ...named(links.filter(({ kind }) => kind !== 'absent' && kind !== 'empty folder')),
      ...(pointer.kind === 'folder' ? [pointer.name] : []),
    ],
  };
}

/** The pointer to the repository is the one file that git does not name. */
function namesAll({ seen, frozen }: Desk, { tracked, others }: Walk, gone: number): boolean {
  return frozen.length === 0 && seen?.files === 1 + tracked - gone + others.length;
}

/** Whether anything differs from the index but files of the given names: in one walk, which tells no more than that. */
export async function differs(desk: Desk, but: readonly string[]): Promise<boolean> {
  const walk = await walkOnce(desk, ['--modified', '--deleted']);
  const { files } = await listUntracked(desk, walk);
  if (walk.edited.length + walk.gone.length > 0) return true;
  const folder = Buffer.from(desk.path);
  for (const name of files)
    if (!but.includes(nameOf(name)) && (await kindAt(belowFolder(folder, name))) === 'file')
      return true;
  return false;
}

/** `placeholder`: what a sandbox’s mask of a missing dot file leaves behind; nobody’s work. */
type Kind = 'absent' | 'file' | 'placeholder' | 'empty folder' | 'folder' | 'other';

const isDotFile = (path: Buffer): boolean => path[path.lastIndexOf('/') + 1] === DOT;

const DOT = '.'.charCodeAt(0);

async function kindAt(path: Buffer): Promise<Kind> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 'absent';
  if (found.isFile())
    return found.size === 0 && (found.mode & 0o777) === 0o444 && isDotFile(path)
      ? 'placeholder'
      : 'file';
  if (found.isSymbolicLink()) return 'file';
  if (!found.isDirectory()) return 'other';
  const entries = await readdir(path).catch(() => ['unreadable']);
  return entries.length === 0 ? 'empty folder' : 'folder';
}

/** A repository where a tracked file was, which git does not list. One behind a link is somebody else’s. */
async function isRepository(path: Buffer): Promise<boolean> {
  const inside = await lstat(belowFolder(path, Buffer.from('.git'))).catch(() => undefined);
  return inside !== undefined && (await realpath(path, { encoding: 'buffer' })).equals(path);
}

async function filterAsync<T>(all: readonly T[], keep: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(all.map(keep));
  return all.filter((_, at) => kept[at]);
}
