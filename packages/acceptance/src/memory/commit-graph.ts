/** Paths and their text. */
export type Tree = ReadonlyMap<string, string>;

/** The commits of a repository without a repository. */
export interface CommitGraph {
  /** Makes a commit, and names it. */
  add(tree: Tree, parents: readonly string[]): string;
  /** Throws for a name that no commit has. */
  treeOf(commit: string): Tree;
  contains(commit: string, other: string): boolean;
  /** The newest commit that both contain. */
  meet(one: string, other: string): string;
  /** The merge on the first-parent line of `tip` that brought `commit` in; `tip` when none did. */
  mergeOf(commit: string, tip: string): string;
}

interface Commit {
  readonly tree: Tree;
  readonly parents: readonly string[];
}

export function commitGraph(): CommitGraph {
  const commits = new Map<string, Commit>();
  const find = (name: string): Commit => {
    const commit = commits.get(name);
    if (!commit) throw new Error(`there is no commit ${name}`);
    return commit;
  };
  const history = (name: string): Set<string> => {
    const seen = new Set<string>();
    const open = [name];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...find(next).parents);
    }
    return seen;
  };
  return {
    add(tree, parents) {
      const name = `commit-${commits.size + 1}`;
      commits.set(name, { tree: new Map(tree), parents });
      return name;
    },
    treeOf: (name) => find(name).tree,
    contains: (name, other) => history(name).has(other),
    meet(one, other) {
      const ours = history(one);
      const theirs = history(other);
      const shared = [...commits.keys()].filter((name) => ours.has(name) && theirs.has(name));
      const newest = shared.at(-1);
      if (newest === undefined) throw new Error(`${one} and ${other} have no commit in common`);
      return newest;
    },
    mergeOf(name, tip) {
      for (let at: string | undefined = tip; at !== undefined; at = find(at).parents[0])
        if (find(at).parents[1] === name) return at;
      return tip;
    },
  };
}
