import type { FailCause } from '@atelier/engine';
import { isWithin, plainPath } from '../scope/path-entry.ts';
import { writeScope } from '../scope/write-scope.ts';
import { shownNames } from '../shown-names.ts';
import type { ChangeSet } from '../workspace.ts';
import type { StageEnd, Subject } from './subject.ts';

/**
 * The guard against a `done` without work: what had to be produced is there and changed, a read-only task changed
 * nothing, any other changed something, and all of it can be merged.
 */
export function checkChanges({ task, changeSet }: Subject): StageEnd {
  const { changes, nested, refused } = changeSet;
  if (nested.length > 0 || refused.length > 0)
    return refuse('acceptance', `some of its work can not be merged: ${unmergeable(changeSet)}`);
  const missing = missingProducts(task.must_produce ?? [], changeSet);
  if (missing.length > 0)
    return refuse(
      'false-done',
      `the reply says done, but these were not written: ${shownNames(missing)}`,
    );
  const isReadOnly = task.writes?.length === 0;
  if (isReadOnly && changes.length > 0)
    return refuse(
      'write-scope',
      `a task with writes: [] changed ${shownNames(changes.map(({ path }) => path))}`,
    );
  if (!isReadOnly && changes.length === 0)
    return refuse(
      'false-done',
      `the reply says done, but no file was changed${ignoredWork(task.writes, changeSet)}`,
    );
  return { kind: 'passed', evidence: { changed: changes.length } };
}

const refuse = (cause: FailCause, detail: string): StageEnd => ({ kind: 'refused', cause, detail });

const unmergeable = ({ nested, refused }: ChangeSet): string =>
  [
    ...(nested.length > 0 ? [`repositories inside the repository (${shownNames(nested)})`] : []),
    ...(refused.length > 0 ? [`names that git does not take (${shownNames(refused)})`] : []),
  ].join(', ');

/** A product may be a file or a folder; a folder is there when something below it was written. */
function missingProducts(mustProduce: readonly string[], { changes }: ChangeSet): string[] {
  const written = changes.filter(({ status }) => status !== 'deleted');
  return mustProduce.filter((product) => {
    const entry = plainPath(product);
    return entry === '' || !written.some(({ path }) => isWithin(path, entry));
  });
}

/** Work that was written where nothing is saved is better told than called none. */
function ignoredWork(writes: readonly string[] | null | undefined, { ignored }: ChangeSet): string {
  if (!writes) return '';
  const offenceOf = writeScope(writes);
  const declared = ignored.filter((path) => offenceOf(plainPath(path)) === undefined);
  if (declared.length === 0) return '';
  return ` that is saved; git ignores ${shownNames(declared)}, which only must_produce would keep`;
}
