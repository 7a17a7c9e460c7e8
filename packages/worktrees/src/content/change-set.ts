import { readAttempt } from '../attempt/attempt-record.ts';
import type { AttemptName } from '../attempt/carve.ts';
import type { Git } from '../git/git.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';
import type { Site } from '../site.ts';
import { type ChangedPath, changedPaths, changesIn, DIFFERENCE } from './changed-paths.ts';

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
  return { base, commit, changes: await fileChanges(site, base, commit), ...rest };
}

interface CountOptions {
  /** What counting lines may take; as long as any command of git when absent. */
  readonly timeoutMs?: number;
}

/** More changes than this are not kept in memory. */
const MOST_KEPT = 2_000;

/** The changes between two commits, by path; both by their full names. */
export async function fileChanges(
  site: Pick<Site, 'content'>,
  base: string,
  commit: string,
  options: CountOptions = {},
): Promise<readonly FileChange[]> {
  const { objects, differences } = site.content;
  const key = `${base} ${commit}`;
  try {
    const changes = await differences.of(key, () => counted(objects, base, commit, options));
    if (changes.length > MOST_KEPT) differences.forget(key);
    return changes;
  } catch {
    // Two huge files can be hard to compare; which they are is told all the same.
    return changedPaths(site, base, commit);
  }
}

async function counted(
  git: Git,
  base: string,
  commit: string,
  options: CountOptions,
): Promise<FileChange[]> {
  const { stdout } = await git([...DIFFERENCE, '--raw', '--numstat', base, commit], options);
  const fields = splitNul(stdout);
  const paths = changesIn(fields);
  const lines = linesIn(fields.slice(2 * paths.length));
  return paths.map(({ isSubmodule, ...change }) => ({
    ...change,
    ...(isSubmodule ? {} : lines.get(change.path)),
  }));
}

interface Lines {
  readonly insertions: number;
  readonly deletions: number;
}

/** Lines by path. */
function linesIn(entries: readonly Buffer[]): ReadonlyMap<string, Lines> {
  const lines = new Map<string, Lines>();
  const seen = new Set<string>();
  for (const entry of entries) {
    const [, insertions, deletions, path] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(nameOf(entry)) ?? [];
    if (path === undefined || insertions === '-') continue;
    // Two names can look the same once their bytes are text.
    if (seen.has(path)) lines.delete(path);
    else lines.set(path, { insertions: Number(insertions), deletions: Number(deletions) });
    seen.add(path);
  }
  return lines;
}
