import { printable } from '@atelier/envelope';
import { type Offence, writeScope } from '../scope/write-scope.ts';
import { shownNames } from '../shown-names.ts';
import type { StageEnd, Subject } from './subject.ts';

/** Nothing was changed but what the task declares, and nothing that tools act on unless it is spelled out. */
export function checkScope({ task, changeSet }: Subject): StageEnd {
  const offenceOf = writeScope(task.writes);
  const offenders = changeSet.changes.flatMap(({ path }) => {
    const offence = offenceOf(path);
    return offence ? [`${printable(path, 80)} (${reasonOf(offence)})`] : [];
  });
  if (offenders.length === 0) return { kind: 'passed' };
  return {
    kind: 'refused',
    cause: 'write-scope',
    detail: `changed outside of its writes: ${shownNames(offenders)}`,
  };
}

const reasonOf = (offence: Offence): string =>
  offence.why === 'undeclared' ? 'undeclared' : `protected: ${offence.kind}`;
