import type { StoredObject } from '../git/object-answers.ts';

/** What a tree has at a path: equal entries are equal files, or equal folders with all that is in them. */
export interface TreeEntry {
  readonly mode: string;
  readonly type: string;
  readonly oid: string;
}

const SPACE = ' '.charCodeAt(0);

/** The entries of a tree, as git stores it. Names are bytes: in Latin-1 text each character is one. Modes and types are those that git lists. */
export function entriesIn({
  oid: { length },
  content,
}: StoredObject): ReadonlyMap<string, TreeEntry> {
  const bytes = length / 2;
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(SPACE, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const mode = Number.parseInt(content.toString('latin1', at, space), 8);
    const oid = content.toString('hex', end + 1, end + 1 + bytes);
    entries.set(content.toString('latin1', space + 1, end), { ...kindOf(mode), oid });
    at = end + 1 + bytes;
  }
  return entries;
}

const KIND = 0o170000;
const EXECUTABLE = 0o100;

/** Old versions of git have stored other rights, which no longer count. */
function kindOf(mode: number): Pick<TreeEntry, 'mode' | 'type'> {
  const kind = mode & KIND;
  if (kind === 0o040000) return { mode: '040000', type: 'tree' };
  if (kind === 0o120000) return { mode: '120000', type: 'blob' };
  if (kind !== 0o100000) return { mode: '160000', type: 'commit' };
  return { mode: (mode & EXECUTABLE) === 0 ? '100644' : '100755', type: 'blob' };
}
