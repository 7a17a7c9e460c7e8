import { mkdir } from 'node:fs/promises';
import { WorktreeError } from '../error.ts';
import { tipOf } from '../integration/integration-branch.ts';
import { safeName } from '../safe-name.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import {
  type AttemptRecord,
  attemptFolder,
  carvedIndex,
  readAttempt,
  writeAttempt,
} from './attempt-record.ts';
import { discard } from './discard.ts';
import { furnish } from './furnish.ts';
import { type Place, register } from './register.ts';
import { forgetScratch, newScratchFolder, writeScratch } from './scratch-record.ts';
import { seedTree } from './seed.ts';

/** Names one attempt of one task. */
export interface AttemptName {
  /** Any text; it reaches no ref and no path as it is. */
  readonly taskId: string | number;
  /** 1 or more. */
  readonly attempt: number;
}

export interface CarveRequest extends AttemptName {
  /** Files, or folders with all below them, that are saved even where git ignores them. */
  readonly produces?: readonly string[];
  /** The number of an earlier attempt of the task, whose saved changes the worktree begins with. */
  readonly from?: number;
}

/** The folder of one attempt: a linked worktree with a detached HEAD, outside the clone. */
export interface Worktree {
  readonly taskId: string;
  readonly attempt: number;
  readonly path: string;
  /** The worktree’s own part of the clone’s git dir; its `.git` file points there. */
  readonly gitDir: string;
  readonly commonDir: string;
  /** The commit that it was carved from. */
  readonly base: string;
  /** It began with the changes of an earlier attempt, uncommitted. */
  readonly seeded: boolean;
  /** Absolute paths inside it that are not for the worker to write. What is there is never saved. */
  readonly frozen: readonly string[];
}

export async function carve(
  site: Site,
  { taskId, attempt, produces = [], from }: CarveRequest,
  signal?: AbortSignal,
): Promise<Worktree> {
  if (!Number.isSafeInteger(attempt) || attempt < 1)
    throw new WorktreeError(
      'INVALID_ATTEMPT',
      `attempt ${shown(String(attempt))} is not a number of at least 1`,
      'Attempts are counted from 1.',
    );
  await mkdir(attemptFolder(site.root, taskId, attempt), { recursive: true });
  const draft = await newScratchFolder(site.root);
  let place: Place | undefined;
  try {
    place = await site.serially(async () =>
      register(site, { folder: safeName(taskId), name: String(attempt), base: await tipOf(site) }),
    );
    // Until it is ready it holds nobody’s work, should this process end.
    await writeScratch(draft, { kind: 'scratch', ...place });
    const tree =
      from === undefined ? undefined : await seedTree(site, { taskId, from }, place.base);
    const index = carvedIndex(site.root, taskId, attempt);
    const frozen = await furnish(site, place, { index, tree, signal });
    const seeded = tree !== undefined;
    const record = {
      taskId: String(taskId),
      attempt,
      ...place,
      seeded,
      frozen,
      produces,
    };
    await writeAttempt(site.root, record);
    await forgetScratch(draft);
    return worktreeOf(site, record);
  } catch (error) {
    // Nobody has worked in it yet.
    const gone = place ? discard(site, place) : Promise.resolve();
    await gone.then(
      () => forgetScratch(draft),
      () => undefined,
    );
    throw error;
  }
}

export async function findCarved(
  site: Site,
  { taskId, attempt }: AttemptName,
): Promise<Worktree | undefined> {
  const record = await readAttempt(site.root, taskId, attempt);
  return record && worktreeOf(site, record);
}

const worktreeOf = (
  { commonDir }: Site,
  { taskId, attempt, path, gitDir, base, seeded, frozen }: AttemptRecord,
): Worktree => ({ taskId, attempt, path, gitDir, commonDir, base, seeded, frozen });
