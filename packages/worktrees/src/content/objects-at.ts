import { gitFailure } from '../git/git-failure.ts';
import { nameOf } from '../git/nul-list.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { entriesIn, type TreeEntry } from './tree-entries.ts';
import { treeOf } from './tree-of.ts';

/** The entries of a commit at the given paths, in their order; a path that is not there is left out. */
export async function objectsAt(
  reader: ObjectReader,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeEntry>> {
  const asked = [...new Set(paths)].filter(isTreePath);
  if (asked.length === 0) return new Map();
  const root = await treeOf(reader, commit);
  let open = asked.map((path) => ({ path, folder: root, left: bytesOf(path).split('/') }));
  const found = new Map<string, TreeEntry>();
  // All folders of one depth in one look.
  while (open.length > 0) {
    const folders = await foldersOf(reader, [...new Set(open.map(({ folder }) => folder))]);
    open = open.flatMap(({ path, folder, left: [name = '', ...left] }) => {
      const entry = folders.get(folder)?.get(name);
      if (entry && left.length === 0) found.set(path, entry);
      return entry?.type === 'tree' && left.length > 0 ? [{ path, folder: entry.oid, left }] : [];
    });
  }
  return new Map(
    asked.flatMap((path) => {
      const entry = found.get(path);
      return entry ? [[path, entry] as const] : [];
    }),
  );
}

async function foldersOf(
  reader: ObjectReader,
  trees: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, TreeEntry>>> {
  const folders = new Map<string, ReadonlyMap<string, TreeEntry>>();
  for (let at = 0; at < trees.length; at += TREES_PER_LOOK) {
    const some = trees.slice(at, at + TREES_PER_LOOK);
    const found = await reader.contents(some);
    for (const [index, tree] of some.entries()) {
      const object = found[index];
      if (object?.type !== 'tree')
        throw gitFailure('cat-file', 0, `fatal: there is no tree ${tree}`);
      folders.set(tree, entriesIn(object));
    }
  }
  return folders;
}

const bytesOf = (path: string): string => Buffer.from(path).toString('latin1');

/** What is held in memory is bounded by it. */
const TREES_PER_LOOK = 50;
const LONGEST_PATH = 4096;

/** Any other text is no path in a tree. */
const isTreePath = (path: string): boolean =>
  path.length <= LONGEST_PATH &&
  !path.includes('\0') &&
  nameOf(Buffer.from(path)) === path &&
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
