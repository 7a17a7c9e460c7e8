import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { discard } from '../attempt/discard.ts';
import { registrationPrefix } from '../attempt/registration-name.ts';
import { codeOf } from '../error.ts';
import type { Site } from '../site.ts';
import { removeHalfMade } from './half-made.ts';
import { isRegistered, listRecorded } from './run-folders.ts';

type Registry = Pick<Site, 'root' | 'commonDir'>;

/**
 * Worktrees that this run had registered and did not get to note: nobody has worked in one. Other runs have other
 * roots, and a person's worktrees are not in them.
 */
export async function listUnrecorded({
  root,
  commonDir,
}: Registry): Promise<{ readonly path: string; readonly gitDir: string }[]> {
  // A name is given again once its registration has gone, and the record of that attempt stays.
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

/**
 * Removes what hosts that were killed had registered and put no file in, also of a run that nobody goes on with: it
 * takes only what has the name of a registration of that run.
 */
export async function removeUnfurnished(registry: Registry): Promise<void> {
  await removeHalfMade(registry);
  const prefix = registrationPrefix(registry.root);
  for (const place of await listUnrecorded(registry))
    if (basename(place.gitDir).startsWith(prefix) && (await isUnfurnished(place.path)))
      await discard(registry, place);
}

const isUnfurnished = async (path: string): Promise<boolean> =>
  (await namesIn(path)).every((name) => name === '.git');

/** Also by a record that can not be read any more: then nobody can tell what is in it, and it stays. */
async function isNoted(root: string, path: string): Promise<boolean> {
  const [attempt = ''] = basename(path).split('-');
  const record = join(root, 'attempts', basename(dirname(path)), attempt, 'attempt.json');
  return lstat(record).then(
    () => true,
    () => false,
  );
}

/** What can not be read is not taken for empty. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
