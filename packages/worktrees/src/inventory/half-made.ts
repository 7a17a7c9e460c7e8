import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { registrationPrefix } from '../attempt/registration-name.ts';
import { codeOf } from '../error.ts';
import type { Site } from '../site.ts';

/** Removes what is left of worktrees whose host ended while it registered them. None has ever held a file. */
export async function removeHalfMade({
  root,
  commonDir,
}: Pick<Site, 'root' | 'commonDir'>): Promise<void> {
  const registrations = join(commonDir, 'worktrees');
  const prefix = registrationPrefix(root);
  for (const name of await namesIn(registrations))
    if (name.startsWith(prefix) && (await isUnfinished(join(registrations, name))))
      await rm(join(registrations, name), { recursive: true, force: true });
  // Git, too, removes the folder of registrations with the last of them.
  await rmdir(registrations).catch(() => undefined);
  for (const task of await namesIn(join(root, 'wt')))
    for (const name of await namesIn(join(root, 'wt', task)))
      await removeUnfilled(join(root, 'wt', task, name), join(registrations, prefix));
}

/** What a registration has before it says where its worktree is. What has more was one once. */
const BEFORE: ReadonlySet<string> = new Set(['commondir', 'HEAD', 'locked', 'gitdir.new']);

const isUnfinished = async (gitDir: string): Promise<boolean> =>
  (await namesIn(gitDir)).every((name) => BEFORE.has(name));

/** Removes a folder without anything but a pointer to a registration of this run that is not there, or not even that. */
async function removeUnfilled(path: string, ours: string): Promise<void> {
  const names = await namesIn(path);
  if (names.some((name) => name !== '.git')) return;
  if (names.length > 0) {
    const pointer = await readFile(join(path, '.git'), 'utf8').catch(() => undefined);
    if (pointer === undefined) return;
    const gitDir = pointer.replace(/^gitdir: /, '').replace(/\n$/, '');
    // An empty pointer is one that was being written.
    if (pointer !== '' && !(gitDir.startsWith(ours) && (await isUnfinished(gitDir)))) return;
    await rm(join(path, '.git'), { force: true });
  }
  await rmdir(path).catch(() => undefined);
}

/** What is no folder has no names in it. */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  });
