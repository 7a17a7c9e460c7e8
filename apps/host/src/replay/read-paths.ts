import { type BriefingContext, placesOf, placesOfName, type Task } from '@atelier/engine';

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
  const places = new Set(reads.flatMap(placesOfName));
  for (const { task: source, evidence } of upstream) {
    const changed = changedPaths(evidence);
    // What an upstream changed and is not listed may be anything.
    if (!changed) return undefined;
    const written = source ? placesWritten(source) : [];
    for (const place of [...written, ...changed.flatMap(placesOfName)]) places.add(place);
  }
  return places.has('') ? undefined : [...places].sort();
}

/** Where a task says that it may change files; the empty path stands for the whole repository. */
export const placesWritten = ({ writes, must_produce }: Task): readonly string[] => [
  ...(writes ?? []).flatMap(placesOf),
  ...(must_produce ?? []).flatMap(placesOfName),
];

/** The files that merged work changed, as its evidence lists them; undefined when it does not list them all. */
export function changedPaths(evidence: unknown): readonly string[] | undefined {
  const { files, omitted, changed } = Object(evidence) as { readonly [key: string]: unknown };
  if (!Array.isArray(files)) return changed === undefined || changed === 0 ? [] : undefined;
  if (omitted !== undefined && omitted !== 0) return undefined;
  const paths = files.map((file: unknown) => Object(file).path as unknown);
  return paths.every((path) => typeof path === 'string') ? paths : undefined;
}

/** What the direct upstreams of a task were asked for and delivered. */
export const upstreamOf = (
  { upstream }: BriefingContext,
  tasks: ReadonlyMap<string, Task>,
): readonly { readonly task: Task | undefined; readonly evidence: unknown }[] =>
  upstream.map(({ taskId, evidence }) => ({ task: tasks.get(String(taskId)), evidence }));
