import type { StoredObject } from '../git/object-answers.ts';

/** An entry of a tree as git stores it. */
export interface StoredEntry {
  /** In octal, without leading zeros. */
  readonly mode: string;
  /** Bytes: in Latin-1 text each character is one. */
  readonly name: string;
  readonly oid: string;
}

export type StoredTree = ReadonlyMap<string, StoredEntry>;

export const FOLDER = '40000';
export const SUBMODULE = '160000';

/** Git sorts a folder as if its name ended in a slash. */
export const rankOf = ({ mode, name }: Pick<StoredEntry, 'mode' | 'name'>): string =>
  mode === FOLDER ? `${name}/` : name;

/** The modes that git writes today. Older ones are read, and written anew, as one of these. */
const HEAD = /^(100644|100755|120000|40000|160000) ([^/]+)$/;

/** The entries of a tree by their names; `undefined` where it is not one that git would write. */
export function storedTree({ oid, type, content }: StoredObject): StoredTree | undefined {
  if (type !== 'tree') return undefined;
  const width = oid.length / 2;
  const text = content.toString('latin1');
  const hex = content.toString('hex');
  const entries = new Map<string, StoredEntry>();
  let before = '';
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\0', at);
    const next = end + 1 + width;
    const [, mode, name] = (end >= 0 && HEAD.exec(text.slice(at, end))) || [];
    if (mode === undefined || name === undefined || next > text.length) return undefined;
    const rank = rankOf({ mode, name });
    if (rank <= before || entries.has(name)) return undefined;
    entries.set(name, { mode, name, oid: hex.slice(2 * (end + 1), 2 * next) });
    before = rank;
    at = next;
  }
  return entries;
}
