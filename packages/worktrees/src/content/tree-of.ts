import { WorktreeError } from '../error.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { shown } from '../shown.ts';

/** The tree of a commit. Throws `GIT_FAILED` for what is none. */
export async function treeOf(reader: ObjectReader, commit: string): Promise<string> {
  const [found] = commit.includes('\n') ? [] : await reader.info([`${commit}^{tree}`]);
  if (found) return found.oid;
  throw new WorktreeError(
    'GIT_FAILED',
    `there is no commit ${shown(commit)}`,
    'Name a commit that is in the clone.',
  );
}
