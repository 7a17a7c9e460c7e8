import type { ObjectReader } from './object-reader.ts';

/** A commit, and the tree that it holds. */
export interface Commit {
  readonly commit: string;
  readonly tree: string;
}

/** The commits that names stand for; `undefined` for one that stands for none. */
export async function readCommits(
  reader: ObjectReader,
  names: readonly string[],
): Promise<readonly (Commit | undefined)[]> {
  const found = await reader.contents(names.map((name) => `${name}^{commit}`));
  return found.map((one) => {
    const tree = one && /^tree ([0-9a-f]+)\n/.exec(one.content.toString('latin1', 0, LONGEST))?.[1];
    return one?.type === 'commit' && tree !== undefined ? { commit: one.oid, tree } : undefined;
  });
}

/** More than the first line of a commit is long. */
const LONGEST = 100;
