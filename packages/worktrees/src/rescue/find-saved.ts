import { WorktreeError } from '../error.ts';
import type { Git } from '../git/git.ts';
import { shown } from '../shown.ts';
import { listSavedRefs, type SavedRef } from './saved-refs.ts';

/** Finds the work on a ref. Throws `NO_SUCH_SALVAGE`. */
export async function findSaved(refs: Git, ref: string): Promise<SavedRef> {
  // The name is a pattern to git, and one that starts with a dash an option.
  const found = /^refs\/atelier\/[a-z0-9/-]+$/.test(ref) ? await listSavedRefs(refs, ref) : [];
  const one = found.find((saved) => saved.ref === ref);
  if (one) return one;
  throw new WorktreeError(
    'NO_SUCH_SALVAGE',
    `there is no saved work on ${shown(ref)}`,
    'List the saved work; a name looks like refs/atelier/<run>/<task>/<attempt>.',
  );
}
