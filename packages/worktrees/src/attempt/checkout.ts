import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { listWorktree } from '../content/worktree-listing.ts';
import { WorktreeError } from '../error.ts';
import { nameOf } from '../git/nul-list.ts';
import { isObjectName } from '../git/object-name.ts';
import { commitOf } from '../integration/integration-branch.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import type { AttemptName } from './carve.ts';
import { discard } from './discard.ts';
import { furnish } from './furnish.ts';
import { type Place, register } from './register.ts';
import {
  forgetScratch,
  newScratchFolder,
  readScratch,
  type ScratchRecord,
  scratchFolder,
  scratchName,
  writeScratch,
} from './scratch-record.ts';

/** A worktree of any commit for commands of the host. It holds nobody’s work. */
export interface Scratch extends Place {
  /** By which a later host finds it again. */
  readonly name: string;
  readonly frozen: readonly string[];
  /** The paths that differ from the commit by now; what git ignores is not told. */
  changes(): Promise<readonly string[]>;
  /** Removes it, whatever is in it. Idempotent. Throws `NOT_OURS` when its registration is another’s by now. */
  dispose(): Promise<void>;
}

interface CheckoutOptions {
  readonly signal?: AbortSignal | undefined;
  readonly tenant?: AttemptName | undefined;
}

export async function checkout(
  site: Site,
  commit: string,
  { signal, tenant }: CheckoutOptions = {},
): Promise<Scratch> {
  // Git itself tells whether there is one, but any other text could be an option to it.
  const base = isObjectName(commit) ? commit : await commitOf(site, commit);
  if (base === undefined) throw noSuchCommit(commit);
  const folder = await newScratchFolder(site.root);
  const place = await site
    .serially(() => register(site, { folder: 'scratch', name: scratchName(folder), base }))
    .catch(async (error: unknown) => {
      await forgetScratch(folder);
      if ((await commitOf(site, commit)) === undefined) throw noSuchCommit(commit);
      throw error;
    });
  const unfinished = scratchOf(site, folder, { ...place, frozen: [] });
  const record: ScratchRecord = {
    kind: 'scratch',
    ...place,
    ...(tenant && { tenant: { taskId: String(tenant.taskId), attempt: tenant.attempt } }),
  };
  try {
    await writeScratch(folder, record);
    const frozen = await furnish(site, place, { index: join(folder, 'index'), signal });
    await writeScratch(folder, { ...record, frozen });
    return scratchOf(site, folder, { ...place, frozen });
  } catch (error) {
    await unfinished.dispose().catch(() => undefined);
    throw error;
  }
}

const noSuchCommit = (commit: string): WorktreeError =>
  new WorktreeError(
    'NO_SUCH_COMMIT',
    `there is no commit ${shown(commit)}`,
    'Name a commit that is in the clone.',
  );

/** One that an earlier host made, if it is still there and was ready. */
export async function reopen(site: Site, name: string): Promise<Scratch | undefined> {
  const folder = scratchFolder(site.root, name);
  const { path, gitDir, base, frozen } = (await readScratch(folder)) ?? {};
  if (path === undefined || gitDir === undefined || base === undefined || !frozen) return undefined;
  const there = await lstat(path).catch(() => undefined);
  return there?.isDirectory() ? scratchOf(site, folder, { path, gitDir, base, frozen }) : undefined;
}

function scratchOf(
  site: Site,
  folder: string,
  place: Place & { readonly frozen: readonly string[] },
): Scratch {
  const { path, frozen } = place;
  let disposal: Promise<void> | undefined;
  return {
    ...place,
    name: scratchName(folder),
    async changes() {
      const index = join(folder, 'index');
      const desk = { content: site.content, path, index, frozen, produces: [] };
      const { gone, present, nested } = await listWorktree(desk);
      return [...gone, ...present, ...nested].map(nameOf);
    },
    dispose() {
      disposal ??= discard(site, place).then(() => forgetScratch(folder));
      return disposal;
    },
  };
}
