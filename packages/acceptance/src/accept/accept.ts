import type { Acceptability, CheckContext, WorkOrder } from '@atelier/engine';
import type { JsonValue, Reply } from '@atelier/envelope';
import { evidenceObject } from '../evidence.ts';
import type { Shell } from '../shell.ts';
import type { Workspace } from '../workspace.ts';
import { checkChanges } from './check-changes.ts';
import { checkScope } from './check-scope.ts';
import { gatherFacts } from './gather-facts.ts';
import type { StageEnd, Subject } from './subject.ts';
import { tryMerge } from './try-merge.ts';
import { verify } from './verify.ts';

/** In this order. The names are in journals. */
const STAGES: readonly (readonly [
  name: string,
  check: (subject: Subject) => StageEnd | Promise<StageEnd>,
])[] = [
  ['changes', checkChanges],
  ['scope', checkScope],
  ['facts', gatherFacts],
  ['verify', verify],
  ['trial', tryMerge],
];

interface AcceptSeams {
  readonly workspace: Workspace;
  readonly shell?: Shell;
  readonly commandMs: number;
}

/**
 * Takes a `done` through the stages. The first that refuses decides; one that is behind the attempt already is not
 * repeated, and its evidence counts. All evidence is accepted as one object.
 */
export async function accept(
  seams: AcceptSeams,
  order: Pick<WorkOrder, 'task' | 'attempt'> & { readonly reply: Reply },
  context: CheckContext,
): Promise<Acceptability> {
  const { task, attempt, reply } = order;
  const { signal, siblings, passed, pass } = context;
  signal.throwIfAborted();
  const changeSet = await seams.workspace.changeSet({ taskId: task.id, attempt });
  if (!changeSet || (changeSet.changes.length > 0 && changeSet.commit === undefined))
    return {
      kind: 'refused',
      cause: 'acceptance',
      detail: 'its work was not saved, so it can not be merged',
    };
  const subject: Subject = { ...seams, task, attempt, reply, changeSet, siblings, signal };
  const collected: Record<string, JsonValue> = {};
  for (const [name, check] of STAGES) {
    if (passed.has(name)) {
      Object.assign(collected, evidenceObject(passed.get(name)));
      continue;
    }
    signal.throwIfAborted();
    const end = await check(subject);
    if (end.kind === 'refused') return end;
    if (end.kind === 'void') continue;
    pass(name, end.evidence);
    Object.assign(collected, end.evidence);
  }
  return { kind: 'accepted', evidence: collected };
}
