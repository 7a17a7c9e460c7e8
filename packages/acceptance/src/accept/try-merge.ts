import type { JsonValue } from '@atelier/envelope';
import { commitIn } from '../evidence.ts';
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
  const paths = await workspace.conflicts(commit);
  if (paths.length > 0)
    return {
      kind: 'refused',
      cause: 'conflict',
      detail: `its changes conflict with what is merged already: ${shownNames(paths)}`,
    };
  const conflicts: JsonValue[] = [];
  for (const { task, evidence } of siblings) {
    const other = commitIn(evidence);
    if (other === undefined) continue;
    signal.throwIfAborted();
    const shared = await workspace.conflicts(commit, other);
    if (shared.length > 0) conflicts.push({ taskId: task.id, paths: shared.slice(0, MOST_PATHS) });
  }
  return { kind: 'passed', evidence: { conflicts } };
}
