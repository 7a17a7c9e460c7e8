import type { Git } from '../git/git.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';

/** What a tree has at a path: equal entries are equal files, or equal folders with all that is in them. */
export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
}

/** The entries of a commit at the given paths, in their order; a path that is not there is left out. */
export async function objectsAt(
  objects: Git,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const asked = [...new Set(paths)].filter(isTreePath);
  const found = new Map<string, TreeEntry>();
  for (const level of levelsOf(asked))
    for (let at = 0; at < level.length; at += PATHS_PER_CALL)
      for (const [path, entry] of await listed(
        objects,
        commit,
        level.slice(at, at + PATHS_PER_CALL),
      ))
        found.set(path, entry);
  return new Map(
    asked.flatMap((path) => {
      const entry = found.get(path);
      return entry ? [[path, entry] as const] : [];
    }),
  );
}

/** Asked for a folder and something in it, git lists the one and not the other: so no call names both. */
function levelsOf(paths: readonly string[]): string[][] {
  const asked = new Set(paths);
  const levels: string[][] = [];
  for (const path of paths) {
    const parts = path.split('/');
    const above = parts.filter((_, index) => asked.has(parts.slice(0, index).join('/'))).length;
    levels[above] = [...(levels[above] ?? []), path];
  }
  return levels.filter((level) => level !== undefined);
}

const PATHS_PER_CALL = 100;
const LONGEST_PATH = 4096;

/** Any other text is no path in a tree, and an argument of it could be an error. */
const isTreePath = (path: string): boolean =>
  path.length <= LONGEST_PATH &&
  !path.includes('\0') &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');

async function listed(
  objects: Git,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, TreeEntry>> {
  const { stdout } = await objects(['ls-tree', '-z', '--full-tree', commit, '--', ...paths]);
  const found = new Map<string, TreeEntry>();
  for (const line of splitNul(stdout)) {
    const [, mode, type, oid, path] = LINE.exec(nameOf(line)) ?? [];
    if (mode && type && oid && path !== undefined) found.set(path, { mode, type, oid });
  }
  return found;
}

const LINE = /^(\d+) (\w+) ([0-9a-f]+)\t(.*)$/su;
