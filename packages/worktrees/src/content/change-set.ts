import { readAttempt } from '../attempt/attempt-record.ts';
import type { AttemptName } from '../attempt/carve.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';
import type { Site } from '../site.ts';
import { type ChangedPath, changedPaths, DIFFERENCE } from './changed-paths.ts';

/** One side of a rename is a change of its own. Submodules are listed, without numbers. */
export interface FileChange extends ChangedPath {
  /** Lines; absent where they mean nothing (binary content) or could not be counted in time. */
  readonly insertions?: number;
  readonly deletions?: number;
}

/** What an attempt changed, as it was last saved. */
export interface ChangeSet {
  readonly base: string;
  /** Absent when nothing was saved. */
  readonly commit?: string;
  /** By path. The worker’s own commits count. */
  readonly changes: readonly FileChange[];
  /** Ignored paths that were there and are not saved, whole folders as one; the first 200. */
  readonly ignored: readonly string[];
  /** Repositories inside the worktree: their history is not saved. */
  readonly nested: readonly string[];
  /** Names that git does not take into a tree. */
  readonly refused: readonly string[];
}

export async function changeSet(
  site: Pick<Site, 'root' | 'content'>,
  { taskId, attempt }: AttemptName,
): Promise<ChangeSet | undefined> {
  const saved = (await readAttempt(site.root, taskId, attempt))?.saved;
  if (!saved) return undefined;
  const { base, commit, ignored, nested, refused } = saved;
  const rest = { ignored, nested, refused };
  if (commit === undefined) return { base, changes: [], ...rest };
  const [paths, lines] = await Promise.all([
    changedPaths(site, base, commit),
    countLines(site, base, commit),
  ]);
  const changes = paths.map((change) => ({ ...change, ...lines.get(change.path) }));
  return { base, commit, changes, ...rest };
}

interface Lines {
  readonly insertions: number;
  readonly deletions: number;
}

/** Lines by path. None at all where git takes too long: two huge files can be hard to compare. */
export async function countLines(
  { content }: Pick<Site, 'content'>,
  base: string,
  commit: string,
): Promise<ReadonlyMap<string, Lines>> {
  const answer = await content
    .objects(['diff-tree', ...DIFFERENCE, '--ignore-submodules=all', '--numstat', base, commit])
    .catch(() => undefined);
  const lines = new Map<string, Lines>();
  const seen = new Set<string>();
  for (const entry of splitNul(answer?.stdout ?? Buffer.alloc(0))) {
    const [, insertions, deletions, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(nameOf(entry)) ?? [];
    if (path === undefined || insertions === '-') continue;
    // Two names can look the same once their bytes are text.
    if (seen.has(path)) lines.delete(path);
    else lines.set(path, { insertions: Number(insertions), deletions: Number(deletions) });
    seen.add(path);
  }
  return lines;
}
