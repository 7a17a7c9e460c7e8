import type { Tree } from './commit-graph.ts';

/** What came of merging two trees. Conflicting paths keep our text. */
export interface MergedTrees {
  readonly tree: Tree;
  readonly conflicts: readonly string[];
}

/** Merges three ways, file by file: two different changes of one file conflict. */
export function mergeTrees(base: Tree, ours: Tree, theirs: Tree): MergedTrees {
  const tree = new Map(ours);
  const conflicts: string[] = [];
  for (const path of new Set([...base.keys(), ...theirs.keys()])) {
    const [was, here, there] = [base.get(path), ours.get(path), theirs.get(path)];
    if (there === was || there === here) continue;
    if (here !== was) conflicts.push(path);
    else if (there === undefined) tree.delete(path);
    else tree.set(path, there);
  }
  return { tree, conflicts: conflicts.sort() };
}
