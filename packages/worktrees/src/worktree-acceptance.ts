import type { Acceptance, AcceptedWork, Integration } from '@atelier/engine';
import type { Offer } from './integrate.ts';
import type { Run } from './run.ts';
import { shownNames } from './shown.ts';

/**
 * Accepts a `done` whose work is saved and real, and brings the work of a wave together. A `done` that changed
 * nothing is refused, but for a task with `writes: []`; one of those that did change something is refused too.
 */
export const worktreeAcceptance = (run: Run): Acceptance => ({
  async accept({ task, attempt }) {
    const saved = await run.saved({ taskId: task.id, attempt });
    if (!saved)
      return {
        kind: 'refused',
        cause: 'acceptance',
        detail: 'its work was not saved, so it can not be merged',
      };
    const readOnly = task.writes?.length === 0;
    if (saved.changed === 0 && !readOnly)
      return {
        kind: 'refused',
        cause: 'false-done',
        detail: 'the reply says done, but no file was changed',
      };
    if (saved.changed > 0 && readOnly)
      return {
        kind: 'refused',
        cause: 'write-scope',
        detail: `a task with writes: [] changed ${saved.changed} files`,
      };
    const { base, changed, commit } = saved;
    const work = changed === 0 || commit === undefined ? {} : { commit };
    return { kind: 'accepted', evidence: { ...work, base, changed } };
  },

  async integrate(_wave, accepted, signal) {
    const offers = accepted.flatMap(offerOf);
    const merges = new Map(
      (await run.integrate(offers, signal)).map((merge) => [String(merge.taskId), merge]),
    );
    return accepted.map(({ task }): Integration => {
      const merge = merges.get(String(task.id));
      if (!merge) return { kind: 'merged', taskId: task.id };
      if (merge.kind === 'merged')
        return { kind: 'merged', taskId: task.id, evidence: { commit: merge.commit } };
      return {
        kind: 'refused',
        taskId: task.id,
        cause: 'conflict',
        detail: `its changes conflict with what is merged already: ${shownNames(merge.paths)}`,
      };
    });
  },
});

/** Work without a commit changed nothing: there is nothing to merge. */
function offerOf({ task, evidence }: AcceptedWork): Offer[] {
  const { commit } = Object(evidence) as { readonly commit?: unknown };
  return typeof commit === 'string' ? [{ taskId: task.id, commit }] : [];
}
