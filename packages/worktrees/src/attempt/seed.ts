import { treeOf } from '../content/tree-of.ts';
import { commitOf } from '../integration/integration-branch.ts';
import { mergeCommits } from '../integration/merge-commits.ts';
import type { Site } from '../site.ts';
import { attemptRef } from './attempt-ref.ts';

/**
 * The tree of `base` with the changes of an earlier attempt; `undefined` where that saved nothing, conflicts with
 * what was merged since, or is merged itself.
 */
export async function seedTree(
  site: Pick<Site, 'refs' | 'run' | 'content'>,
  { taskId, from }: { readonly taskId: string | number; readonly from: number },
  base: string,
): Promise<string | undefined> {
  const commit = await commitOf(site, attemptRef(site.run, taskId, from));
  if (commit === undefined) return undefined;
  const { content } = site;
  const merged = await mergeCommits(content, base, commit);
  if (merged.kind === 'conflict' || merged.tree === (await treeOf(content.reader, base)))
    return undefined;
  return merged.tree;
}
