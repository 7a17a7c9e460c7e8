import { type FileChange, fileChanges } from '../content/change-set.ts';
import { codeOf } from '../error.ts';
import type { Git } from '../git/git.ts';
import { findSaved } from './find-saved.ts';
import { describe, type SavedWork } from './list-salvage.ts';
import { type Clone, withContent } from './with-content.ts';

/** A patch as text, cut where it is too long. Foreign text: escape it before it reaches a terminal. */
export interface Patch {
  readonly text: string;
  readonly truncated: boolean;
}

export interface ShownWork extends SavedWork {
  /** By path, against the base; none without one. */
  readonly changes: readonly FileChange[];
  /** Only when it was asked for. */
  readonly patch?: Patch;
}

interface ShowOptions {
  /** Ask for the patch too, of at most this many bytes. */
  readonly patchBytes?: number;
}

/** Shows what an attempt changed. Throws `NO_SUCH_SALVAGE`. */
export const showSalvage = (
  repository: Clone,
  ref: string,
  { patchBytes }: ShowOptions = {},
): Promise<ShownWork> =>
  withContent(repository, async ({ refs, content }) => {
    const { objects } = content;
    const found = await findSaved(refs, ref);
    const [work] = await describe([found], { refs, objects, head: repository.head });
    if (work?.base === undefined)
      return { ...found, files: 0, merged: false, ...work, changes: [] };
    const { base, commit } = work;
    const changes = await fileChanges({ content }, base, commit);
    if (patchBytes === undefined) return { ...work, changes };
    return { ...work, changes, patch: await patchOf(objects, { base, commit, patchBytes }) };
  });

const NOT_TO_BE_SHOWN: ReadonlySet<unknown> = new Set(['GIT_OUTPUT_LIMIT', 'GIT_TIMEOUT']);

async function patchOf(
  objects: Git,
  { base, commit, patchBytes }: { base: string; commit: string; patchBytes: number },
): Promise<Patch> {
  const args = ['diff-tree', '-p', '-r', '--no-renames', '--no-ext-diff', '--no-textconv'] as const;
  try {
    const { stdout } = await objects([...args, '--no-color', base, commit]);
    const text = stdout.subarray(0, patchBytes).toString('utf8');
    return { text, truncated: stdout.length > patchBytes };
  } catch (error) {
    if (!NOT_TO_BE_SHOWN.has(codeOf(error))) throw error;
    return { text: '', truncated: true };
  }
}
