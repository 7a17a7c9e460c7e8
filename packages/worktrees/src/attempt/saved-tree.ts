import { readCommits } from '../git/read-commits.ts';
import type { Site } from '../site.ts';
import type { AttemptRecord, SavedState } from './attempt-record.ts';
import { attemptRef } from './attempt-ref.ts';

/**
 * The tree that the last look saw, while every ref of what was saved still holds it; `undefined` when one has gone or
 * was moved.
 */
export async function savedTree(
  { names, run }: Pick<Site, 'names' | 'run'>,
  { taskId, attempt, saved, after }: AttemptRecord & { readonly saved: SavedState },
): Promise<string | undefined> {
  const kept = [
    { ref: attemptRef(run, taskId, attempt, 'saved'), commit: saved.commit },
    { ref: attemptRef(run, taskId, attempt, 'after'), commit: after?.commit },
  ].filter(({ commit }) => commit !== undefined);
  const last = after ?? saved;
  const found = await readCommits(names, [...kept.map(({ ref }) => ref), last.commit ?? last.base]);
  const isKept = kept.every(({ commit }, at) => found[at]?.commit === commit);
  return isKept ? found.at(-1)?.tree : undefined;
}
