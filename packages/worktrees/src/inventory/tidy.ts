import { lstat, readdir, readFile, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { discard } from '../attempt/discard.ts';
import { forgetScratch } from '../attempt/scratch-record.ts';
import { codeOf } from '../error.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';
import { removeOne } from './collect.ts';
import { removeHalfMade } from './half-made.ts';
import { isRegistered, listRecorded, type Recorded, tenantOf } from './run-folders.ts';

/** An attempt whose worker could not be ended, and may still be at work in its worktree or checkout. */
export type IsAtLarge = (attempt: {
  readonly taskId: string;
  readonly attempt: number;
}) => boolean | Promise<boolean>;

/**
 * Removes what hosts that were killed have left of a run whose workers have all ended: worktrees, checkouts, half of a
 * registration. Work that is on no ref is saved first, and what can not be saved stays. Warns of what is still there.
 */
export async function tidy(site: Site, isAtLarge: IsAtLarge): Promise<void> {
  await removeHalfMade(site);
  for (const recorded of await listRecorded(site.root, site.commonDir)) {
    const { record } = recorded;
    const tenant = tenantOf(recorded);
    if (tenant && (await isAtLarge(tenant))) continue;
    const why = await removal(site, recorded).catch(messageOf);
    if (why !== undefined) site.warn(`${shown(record.path)} was kept: ${shown(why)}`);
  }
  for (const place of await unrecorded(site))
    await discard(site, place).catch((error: unknown) =>
      site.warn(`${shown(place.path)} was kept: ${shown(messageOf(error))}`),
    );
  const drafts = join(site.root, 'scratch');
  for (const name of await namesIn(drafts))
    if (!(await namesIn(join(drafts, name))).includes('scratch.json'))
      await forgetScratch(join(drafts, name));
}

async function removal(site: Site, recorded: Recorded): Promise<string | undefined> {
  const { record } = recorded;
  const registered = await isRegistered(record);
  if (!registered && !(await isThere(record.path))) {
    // Of a registration the pointer goes last, and then the folder, which is empty by then.
    await rmdir(record.gitDir).catch(() => undefined);
    if (recorded.kind === 'scratch') await forgetScratch(recorded.folder);
    return undefined;
  }
  return removeOne(site, recorded);
}

/**
 * Worktrees that this run had git register and did not get to note: nobody has worked in one. Other runs have other
 * roots, and a person's worktrees are not in them.
 */
async function unrecorded({
  root,
  commonDir,
}: Site): Promise<{ readonly path: string; readonly gitDir: string }[]> {
  // Git gives a name again once its registration has gone, and the record of that attempt stays.
  const noted = new Set<string>();
  for (const { record } of await listRecorded(root, commonDir))
    if (await isRegistered(record)) noted.add(record.gitDir);
  const found: { path: string; gitDir: string }[] = [];
  for (const name of await namesIn(join(commonDir, 'worktrees'))) {
    const gitDir = join(commonDir, 'worktrees', name);
    const pointer = await readFile(join(gitDir, 'gitdir'), 'utf8').catch(() => '');
    const path = dirname(pointer.replace(/\n$/, ''));
    const isOurs = basename(pointer.trim()) === '.git' && path.startsWith(join(root, 'wt', '/'));
    if (isOurs && !noted.has(gitDir) && !(await isNoted(root, path))) found.push({ path, gitDir });
  }
  return found;
}

/** Also by a record that can not be read any more: then nobody can tell what is in it, and it stays. */
async function isNoted(root: string, path: string): Promise<boolean> {
  const [attempt = ''] = basename(path).split('-');
  return isThere(join(root, 'attempts', basename(dirname(path)), attempt, 'attempt.json'));
}

/** What can not be read is not taken for empty. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
