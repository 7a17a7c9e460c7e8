import { isObject } from '../core/task-issues/task-fields.ts';
import { isPath } from './path-issues.ts';
import { beginningOf } from './places.ts';

/**
 * Whether a fresh worktree may have a path through `worktree.copy` or `link`. Those are files that git does not know,
 * so what begins like an entry is taken on trust.
 */
export function givenPaths(
  worktree: unknown,
  fold: (path: string) => string,
): (path: string) => boolean {
  const { copy, link }: { readonly copy?: unknown; readonly link?: unknown } = isObject(worktree)
    ? worktree
    : {};
  const beginnings: string[] = [];
  for (const list of [copy, link]) {
    const entries: readonly unknown[] = Array.isArray(list) ? list : [];
    for (const entry of entries) if (isPath(entry, true)) beginnings.push(beginningOf(fold(entry)));
  }
  const shortest = withoutLonger(beginnings.sort());
  return (path) => {
    const text = fold(path);
    const nearest = lastUpTo(shortest, text);
    return nearest !== undefined && text.startsWith(nearest);
  };
}

/** Sorted texts without those that begin with another of them, which comes right before them. */
function withoutLonger(sorted: readonly string[]): string[] {
  const kept: string[] = [];
  for (const text of sorted) {
    const last = kept.at(-1);
    if (last === undefined || !text.startsWith(last)) kept.push(text);
  }
  return kept;
}

/** Of texts of which none begins with another, the only one with which `text` can begin. */
function lastUpTo(sorted: readonly string[], text: string): string | undefined {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((sorted[middle] ?? '') <= text) from = middle + 1;
    else to = middle;
  }
  return sorted[from - 1];
}
