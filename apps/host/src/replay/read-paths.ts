import type { BriefingContext, Task } from '@atelier/engine';

/**
 * The paths whose content a task depends on; undefined for everything there is. What a command has judged depends on
 * everything: it may have looked at any file.
 */
export function readPaths(
  task: Task,
  upstream: readonly { readonly task: Task | undefined; readonly evidence: unknown }[],
): readonly string[] | undefined {
  const { reads } = task;
  if (reads === undefined || reads === null || task.verify !== undefined) return undefined;
  const paths = [...reads];
  for (const { task: source, evidence } of upstream) {
    paths.push(...(source?.writes ?? []), ...(source?.must_produce ?? []));
    const changed = changedPaths(evidence);
    // What an upstream changed and is not listed may be anything.
    if (!changed) return undefined;
    paths.push(...changed);
  }
  const folders = new Set(paths.map(rootOf));
  return folders.has('') ? undefined : [...folders].sort();
}

/** The files that merged work changed, as its evidence lists them; undefined when it does not list them all. */
export function changedPaths(evidence: unknown): readonly string[] | undefined {
  const { files, omitted, changed } = Object(evidence) as { readonly [key: string]: unknown };
  if (!Array.isArray(files)) return changed === undefined || changed === 0 ? [] : undefined;
  if (omitted !== undefined && omitted !== 0) return undefined;
  const paths = files.map((file: unknown) => Object(file).path as unknown);
  return paths.every((path) => typeof path === 'string') ? paths : undefined;
}

/** The folder above the first pattern of an entry, or the entry itself; empty for the root. */
export function rootOf(entry: string): string {
  const parts = entry.split('/').filter((part) => part !== '' && part !== '.');
  const pattern = parts.findIndex((part) => /[*?[{\\]/u.test(part));
  return (pattern < 0 ? parts : parts.slice(0, pattern)).join('/');
}

/** What the direct upstreams of a task were asked for and delivered. */
export const upstreamOf = (
  { upstream }: BriefingContext,
  tasks: ReadonlyMap<string, Task>,
): readonly { readonly task: Task | undefined; readonly evidence: unknown }[] =>
  upstream.map(({ taskId, evidence }) => ({ task: tasks.get(String(taskId)), evidence }));
