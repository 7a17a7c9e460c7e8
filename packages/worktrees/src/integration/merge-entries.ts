import type { ContentGit } from '../content/content-git.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { FOLDER, type StoredEntry, type StoredTree, SUBMODULE, storedTree } from './stored-tree.ts';

/** To merge more takes this process longer than to start a git. */
const MOST_BYTES = 32 * 1024;

/** The merge base, ours and theirs. */
type Three<T> = readonly [base: T, ours: T, theirs: T];

interface MergedFolder {
  readonly name: string;
  readonly entries: readonly (StoredEntry | MergedFolder)[];
}

/**
 * The tree of a merge in which each entry was changed by one side at most, by the names of three commits or trees;
 * `undefined` for any other merge, and where it could not be written.
 *
 * Git, which looks for renames, merges the same: a folder is read here only where both sides have changed it, and what
 * the base has there is in both of them still. So whatever was taken away is in a folder that the other side has left
 * as it was: there are no edits that a rename of a file would take along, and no new files that one of a folder would.
 */
export async function mergeEntries(
  { reader, writeTree }: Pick<ContentGit, 'reader' | 'writeTree'>,
  [base, ours, theirs]: Three<string>,
): Promise<string | undefined> {
  const names = [`${ours}^{tree}`, `${theirs}^{tree}`, `${base}^{tree}`] as const;
  const write = async ({ entries }: MergedFolder): Promise<string> => {
    const all: StoredEntry[] = [];
    for (const one of entries)
      all.push('oid' in one ? one : { name: one.name, mode: FOLDER, oid: await write(one) });
    return writeTree(all);
  };
  try {
    const root = await mergeFolders({ reader, left: MOST_BYTES }, '', names);
    return root && (await write(root));
  } catch {
    // A git of its own merges them, or says what is wrong.
    return undefined;
  }
}

interface Reading {
  readonly reader: ObjectReader;
  /** How many bytes of trees may still be read. */
  left: number;
}

/** Without a base, as if that had an empty folder. */
async function mergeFolders(
  reading: Reading,
  name: string,
  oids: readonly [ours: string, theirs: string, ...base: [] | [string]],
): Promise<MergedFolder | undefined> {
  const folders = await read(reading, oids);
  if (!folders) return undefined;
  const [ours = NONE, theirs = NONE, base = NONE] = folders;
  const entries: (StoredEntry | MergedFolder)[] = [];
  for (const key of new Set([...base.keys(), ...ours.keys(), ...theirs.keys()])) {
    const one = await mergeEntry(reading, [base.get(key), ours.get(key), theirs.get(key)]);
    if (!one) return undefined;
    entries.push(one);
  }
  // Git keeps no empty folder.
  return entries.length > 0 ? { name, entries } : undefined;
}

async function mergeEntry(
  reading: Reading,
  [base, ours, theirs]: Three<StoredEntry | undefined>,
): Promise<StoredEntry | MergedFolder | undefined> {
  if (!base) {
    const added = ours ?? theirs;
    if (!ours || !theirs) return added?.mode === SUBMODULE ? undefined : added;
    if (ours.mode !== FOLDER || theirs.mode !== FOLDER) return undefined;
    return mergeFolders(reading, ours.name, [ours.oid, theirs.oid]);
  }
  if (!ours || !theirs) return undefined;
  const all: Three<StoredEntry> = [base, ours, theirs];
  if (isSame(base, ours) && isSame(base, theirs)) return base;
  const folders = all.filter(({ mode }) => mode === FOLDER).length;
  // Where a folder is in the place of a file, or the other way round, one of them is gone.
  if ((folders !== 0 && folders !== all.length) || all.some(({ mode }) => mode === SUBMODULE))
    return undefined;
  if (isSame(base, ours)) return theirs;
  if (isSame(base, theirs)) return ours;
  if (folders === 0) return undefined;
  return mergeFolders(reading, base.name, [ours.oid, theirs.oid, base.oid]);
}

const isSame = (one: StoredEntry, other: StoredEntry): boolean =>
  one.oid === other.oid && one.mode === other.mode;

const NONE: StoredTree = new Map();

/** All of them, or none. */
async function read(
  reading: Reading,
  names: readonly string[],
): Promise<readonly StoredTree[] | undefined> {
  const trees: StoredTree[] = [];
  for (const object of await reading.reader.contents(names)) {
    reading.left -= object?.bytes ?? 0;
    const tree = object && reading.left >= 0 && storedTree(object);
    if (!tree) return undefined;
    trees.push(tree);
  }
  return trees;
}
