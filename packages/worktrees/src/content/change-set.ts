import { readAttempt } from '../attempt/attempt-record.ts';
import type { AttemptName } from '../attempt/carve.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';
import type { Site } from '../site.ts';
import { type ChangedPath, changedPaths, changesIn, DIFFERENCE } from './changed-paths.ts';
import { treeOf } from './tree-of.ts';

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
  { content }: Pick<Site, 'content'>,
  base: string,
  commit: string,
  options: CountOptions = {},
): Promise<readonly FileChange[]> {
  const { differences } = content;
  const key = `${base} ${commit}`;
  try {
    const changes = await differences.of(key, async () =>
      counted(await compared(content, { base, commit }, options)),
    );
    if (changes.length > MOST_KEPT) differences.forget(key);
    return changes;
  } catch {
    // Two huge files can be hard to compare; which they are is told all the same.
    return changedPaths({ content }, base, commit);
  }
}

/** By the git that is kept for it, or by one that has its time. */
async function compared(
  { objects, reader, trees }: Site['content'],
  { base, commit }: { readonly base: string; readonly commit: string },
  options: CountOptions,
): Promise<Buffer> {
  try {
    const [before, after] = await Promise.all([treeOf(reader, base), treeOf(reader, commit)]);
    return await trees.ask({ before, after });
  } catch {
    return (await objects([...DIFFERENCE, '--raw', '--numstat', base, commit], options)).stdout;
  }
}

function counted(difference: Buffer): FileChange[] {
  const fields = splitNul(difference);
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
