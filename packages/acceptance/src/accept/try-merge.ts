import type { AcceptedWork } from '@atelier/engine';
import type { JsonValue } from '@atelier/envelope';
import { commitIn, evidenceObject } from '../evidence.ts';
import { shownNames } from '../shown-names.ts';
import { type StageEnd, type Subject, workOf } from './subject.ts';

const MOST_PATHS = 20;

/**
 * Merges the work on trial. A conflict with what is merged already is the task’s to solve. One with other work of
 * the wave is noted at once and decides nothing yet: either may still be refused.
 */
export async function tryMerge(subject: Subject): Promise<StageEnd> {
  const { changeSet, siblings, workspace, signal } = subject;
  const commit = workOf(changeSet);
  if (commit === undefined) return { kind: 'void' };
  const taken = await workspace.conflicts(commit);
  if (taken.length > 0)
    return {
      kind: 'refused',
      cause: 'conflict',
      detail: `its changes conflict with what is merged already: ${shownNames(taken)}`,
    };
  const conflicts: JsonValue[] = [];
  const paths = new Set(changeSet.changes.map(({ path }) => path));
  for (const { task, evidence } of siblings) {
    const other = commitIn(evidence);
    if (other === undefined || !mayMeet(paths, evidence)) continue;
    signal.throwIfAborted();
    const shared = await workspace.conflicts(commit, other);
    if (shared.length > 0) conflicts.push({ taskId: task.id, paths: shared.slice(0, MOST_PATHS) });
  }
  return { kind: 'passed', evidence: { conflicts } };
}

/**
 * Whether two changes can be in each other's way: they share a path, or one has a file where the other has a folder. A
 * merge costs a process, and most tasks of a wave have nothing to do with each other.
 */
function mayMeet(paths: ReadonlySet<string>, evidence: AcceptedWork['evidence']): boolean {
  const { files, omitted } = evidenceObject(evidence);
  if (!Array.isArray(files) || omitted !== undefined) return true;
  const theirs = files.map((file: JsonValue) => evidenceObject(file)['path']);
  if (!theirs.every((path) => typeof path === 'string')) return true;
  const folders = (all: Iterable<string>) => new Set([...all].flatMap(foldersOf));
  const ours = folders(paths);
  const others = folders(theirs);
  return (
    theirs.some((path) => paths.has(path) || ours.has(path)) ||
    [...paths].some((path) => others.has(path))
  );
}

/** The folders that a file is in, the outermost first. */
const foldersOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, depth, parts) => parts.slice(0, depth + 1).join('/'));
