import type { AcceptedWork, Integration, IntegrationContext } from '@atelier/engine';
import { AcceptanceError } from '../error.ts';
import { commitIn, evidenceObject } from '../evidence.ts';
import { shownNames } from '../shown-names.ts';
import type { Offer, Workspace } from '../workspace.ts';
import { askedOnce, type Gate } from './gate.ts';
import { type Fate, settle } from './settle.ts';

interface Wave {
  readonly workspace: Workspace;
  readonly accepted: readonly AcceptedWork[];
  readonly context: IntegrationContext;
  readonly gate?: Gate;
}

/** Merges again, onto what is there now, when somebody else moved the branch meanwhile. */
const MOST_STARTS = 5;

/**
 * Brings accepted work onto the run’s branch, in the given order, which is the order of the verdicts, too. The
 * branch moves once, to a commit that the gate passed. Throws, and moves nothing, when no verdict is possible.
 */
export async function integrate(wave: Wave): Promise<Integration[]> {
  const { workspace, accepted, context, gate } = wave;
  const { signal } = context;
  const offers = accepted.flatMap(offerOf);
  const ask = gate && askedOnce(gate, workspace, context);
  for (let start = 1; start <= MOST_STARTS; start += 1) {
    signal.throwIfAborted();
    const settled = await settle({ workspace, signal, offers, ...(ask && { ask }) });
    const { from, to, fates } = settled;
    signal.throwIfAborted();
    if (from === to || (await workspace.publish({ from, to })))
      return accepted.map((work) => verdictOn(work, fates.get(String(work.task.id))));
  }
  throw new AcceptanceError(
    'BRANCH_MOVED',
    'the branch of the run was moved again and again by somebody else',
    'Let only this run write to its branch, then resume the run.',
  );
}

/** Work without a commit changed nothing: there is nothing to merge. */
function offerOf({ task, evidence }: AcceptedWork): Offer[] {
  const commit = commitIn(evidence);
  return commit === undefined ? [] : [{ taskId: task.id, commit }];
}

function verdictOn({ task, evidence }: AcceptedWork, fate: Fate | undefined): Integration {
  const taskId = task.id;
  switch (fate?.kind) {
    case undefined:
      return { kind: 'merged', taskId, ...(evidence === undefined ? {} : { evidence }) };
    case 'merged':
      return {
        kind: 'merged',
        taskId,
        evidence: { ...evidenceObject(evidence), merge: fate.commit },
      };
    case 'conflict':
      return {
        kind: 'refused',
        taskId,
        cause: 'conflict',
        detail: `its changes conflict with what is merged already: ${shownNames(fate.paths)}`,
      };
    case 'red': {
      const { detail, findings } = fate.verdict;
      return {
        kind: 'refused',
        taskId,
        cause: 'wave-gate',
        detail: `the gate is red with its changes: ${detail}`,
        ...(findings === '' ? {} : { findings }),
      };
    }
  }
}
