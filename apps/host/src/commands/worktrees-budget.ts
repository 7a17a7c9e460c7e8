import { allWorktrees, type Home } from './worktrees-homes.ts';

/**
 * Shares one budget among homes, by path: what stays in each when the oldest of all go first. Worktrees of runs in
 * use count, and stay.
 */
export function shareBudget(
  homes: readonly Home[],
  {
    maxBytes,
    isInUse,
  }: { readonly maxBytes: number; readonly isInUse: (runId: string) => boolean },
): ReadonlyMap<string, number> {
  const all = allWorktrees(homes);
  let left = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const going = new Set<string>();
  for (const { path, bytes, runId } of all) {
    if (left <= maxBytes) break;
    if (isInUse(runId)) continue;
    going.add(path);
    left -= bytes;
  }
  return new Map(
    homes.map(({ path, worktrees }) => [
      path,
      worktrees.reduce((sum, one) => sum + (going.has(one.path) ? 0 : one.bytes), 0),
    ]),
  );
}
