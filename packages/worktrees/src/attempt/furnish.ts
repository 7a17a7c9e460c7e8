import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { displacedOf, identitiesOf } from '../content/frozen.ts';
import { ageIndex } from '../content/private-index.ts';
import { listWorktree } from '../content/worktree-listing.ts';
import { equip } from '../equip/equip.ts';
import { WorktreeError } from '../error.ts';
import { nameOf } from '../git/nul-list.ts';
import { shown, shownNames } from '../shown.ts';
import type { Site } from '../site.ts';
import type { Place } from './register.ts';

interface Furniture {
  /** Where the index of what was written is kept. */
  readonly index: string;
  /** The files; those of the base when absent. */
  readonly tree?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** To write all files of a large repository; no worker has a hand in it yet. */
const CHECKOUT_MS = 600_000;

/**
 * Writes the files of a fresh worktree, equips it and has it set up. Resolves to the absolute paths inside it that
 * are not for its worker to write. Its own index is that of the base: git inside shows another tree as changes.
 */
export async function furnish(
  site: Site,
  place: Place,
  { index, tree = place.base, signal }: Furniture,
): Promise<readonly string[]> {
  const { path, gitDir, base } = place;
  signal?.throwIfAborted();
  // The index is private: a lock beside it is that of a git that was ended.
  await rm(`${index}.lock`, { force: true });
  await site.content.on(path, index)(['read-tree', '--reset', '-u', tree], {
    timeoutMs: CHECKOUT_MS,
  });
  await ageIndex(index);
  const own = join(gitDir, 'index');
  await copyFile(index, own);
  if (tree !== base) await site.content.on(path, own)(['read-tree', '-m', base]);
  const frozen = await equip(site, { ...place, isBase: tree === base }, site.equipment);
  signal?.throwIfAborted();
  if (site.setUp) await readied(site, { path, index, frozen }, signal);
  return frozen;
}

interface Readied {
  readonly path: string;
  readonly index: string;
  readonly frozen: readonly string[];
}

/** What the set-up leaves must not pass for anybody’s work, and what is linked must be where it was. */
async function readied(
  { setUp, content }: Site,
  { path, index, frozen }: Readied,
  signal: AbortSignal | undefined,
): Promise<void> {
  const frozenAs = await identitiesOf(frozen);
  try {
    await setUp?.({ path, frozen }, signal);
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw new WorktreeError(
      'SETUP_FAILED',
      shown(why, 1000),
      'The set-up runs inside the sandbox, without network: give it what it needs, or mend it.',
      error,
    );
  }
  const [displaced] = await displacedOf(frozen, frozenAs);
  if (displaced !== undefined)
    throw new WorktreeError(
      'FROZEN_MOVED',
      `the set-up has moved ${shown(displaced)}, which may only be read`,
      'Have it leave linked folders, and the folders that they are in, where they are.',
    );
  const { gone, present, nested } = await listWorktree({
    content,
    path,
    index,
    frozen,
    produces: [],
  });
  const left = [...gone, ...present, ...nested].map(nameOf);
  if (left.length > 0)
    throw new WorktreeError(
      'SETUP_CHANGES_FILES',
      `the set-up changes files that git does not ignore: ${shownNames(left)}`,
      'Name them in .gitignore, or commit them: they would count as the work of every task.',
    );
}
