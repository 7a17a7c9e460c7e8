import { codeOf, WorktreeError } from '../error.ts';
import { moveRef } from '../integration/integration-branch.ts';
import type { Site } from '../site.ts';
import type { Origins } from './head-of.ts';

/** Why refs of saved work move, as a reflog says it. */
export const SAVING = 'atelier: salvage';

/** What is known before a worktree is looked at. */
interface Known extends Origins {
  readonly ref: string;
  readonly message: string;
  readonly taskId: string;
}

/**
 * Has the ref hold a tree, the worker’s commits and what it held before as ancestors. Resolves to its commit, or to
 * `undefined` when there is nothing but the floor. Throws `SALVAGE_RACED`.
 */
export async function keep(
  { refs, saving, content }: Pick<Site, 'refs' | 'saving' | 'content'>,
  { ref, previous, head, floor, message, taskId }: Known,
  { tree }: { readonly tree: string },
): Promise<string | undefined> {
  const trees = new Map(
    [previous, head, floor].flatMap((one) => (one ? [[one.commit, one.tree] as const] : [])),
  );
  const newest = async (): Promise<string[]> => {
    const all = [...trees.keys()];
    if (all.length === 1) return all;
    const { text } = await content.objects(['merge-base', '--independent', ...all]);
    return text.split('\n');
  };
  const commitTree = (parents: readonly string[]): Promise<string> => {
    // Told in a form of our own, so that whoever lists saved work need not guess.
    const trailers = `Atelier-Task: ${JSON.stringify(taskId)}\nAtelier-Base: ${floor.commit}\n`;
    const gap = /\n\n[\w-]+: [^\n]*$/.test(message) ? '\n' : '\n\n';
    return content.commit({ tree, parents, message: `${message}${gap}${trailers}` });
  };
  const parents = await newest();
  const [only] = parents;
  const same = parents.length === 1 && only !== undefined && trees.get(only) === tree;
  const commit = same ? only : await commitTree(parents);
  if (commit === floor.commit) return undefined;
  const from = previous?.commit;
  if (commit === from) return commit;
  if (await moveRef({ refs, ...(saving && { saving }) }, ref, { from, to: commit, why: SAVING }))
    return commit;
  throw new WorktreeError(
    'SALVAGE_RACED',
    `${ref} was moved by somebody else`,
    'Is a second host on this run? The worktree was kept; salvage again.',
  );
}

const WITHOUT_FILES: ReadonlySet<unknown> = new Set(['WORKTREE_GONE', 'SALVAGE_TOO_LARGE']);

/** Of a worktree that is gone or not to be read, the worker’s own commits are all there is. */
export async function keepCommits(
  site: Pick<Site, 'refs' | 'saving' | 'content'>,
  known: Known,
  error: unknown,
): Promise<void> {
  const { head, floor } = known;
  if (!WITHOUT_FILES.has(codeOf(error)) || head.commit === floor.commit) return;
  await keep(site, known, head);
}
