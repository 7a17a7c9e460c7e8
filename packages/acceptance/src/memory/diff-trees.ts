import type { FileChange } from '../workspace.ts';
import type { Tree } from './commit-graph.ts';

/** The paths in which two trees differ, sorted. Lines are counted as if each changed file were rewritten. */
export function diffTrees(base: Tree, tree: Tree): FileChange[] {
  const paths = [...new Set([...base.keys(), ...tree.keys()])].sort();
  return paths.flatMap((path): FileChange[] => {
    const [before, after] = [base.get(path), tree.get(path)];
    if (before === after) return [];
    const status = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
    return [{ path, status, insertions: linesOf(after), deletions: linesOf(before) }];
  });
}

const linesOf = (text = ''): number =>
  text === '' ? 0 : text.replace(/\n$/, '').split('\n').length;
