import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openUp } from '../content/open-up.ts';
import { codeOf, WorktreeError } from '../error.ts';
import { gitEnvironment } from '../git/git-surroundings.ts';
import { belowFolder } from '../git/nul-list.ts';
import { runProgram } from '../git/run-program.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';

/**
 * Deletes a worktree and its registration, and no other. Its content must be saved: this does not look. Throws
 * `NOT_OURS`, with nothing deleted, when the path is not below the run’s root or the registration is another’s.
 */
export async function discard(
  { commonDir, root }: Pick<Site, 'commonDir' | 'root'>,
  { path, gitDir }: { readonly path: string; readonly gitDir: string },
): Promise<void> {
  const registered = await readFile(join(gitDir, POINTER), 'utf8').catch(() => '');
  const ours =
    path.startsWith(join(root, 'wt', '/')) &&
    dirname(gitDir) === join(commonDir, 'worktrees') &&
    registered.replace(/\n$/, '') === join(path, '.git');
  if (!ours)
    throw new WorktreeError(
      'NOT_OURS',
      `${shown(path)} is not a worktree of this run`,
      'It was left alone; git worktree list shows whose it is.',
    );
  await removeFolder(path);
  await removeRegistration(gitDir);
  // Git removes the folder of registrations with the last of them.
  await rmdir(dirname(gitDir)).catch(() => undefined);
}

/** Its pointer last: as long as that is there, it can be told whose the rest is. */
async function removeRegistration(gitDir: string): Promise<void> {
  for (const name of await readdir(gitDir))
    if (name !== POINTER) await rm(join(gitDir, name), { recursive: true, force: true });
  await rm(gitDir, { recursive: true, force: true });
}

const POINTER = 'gitdir';

/** What is left then is removed step by step. */
const REMOVAL_MS = 600_000;

/** By the system's own program: in a large tree it takes a third of the time. In a small one its start takes the most. */
async function removeFolder(path: string): Promise<void> {
  try {
    if (await isSmall(path)) return await removeAll(path);
    const { exitCode } = await runProgram('rm', ['-rf', '--', path], {
      ...{ cwd: '/', env: gitEnvironment() },
      ...{ timeoutMs: REMOVAL_MS, killAfterMs: 2_000, limits: { stdout: 65_536, stderr: 65_536 } },
    });
    if (exitCode !== 0) await removeAll(path);
  } catch (error) {
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error;
    await openUp(Buffer.from(path), { foldersOnly: true });
    await removeAll(path);
  }
}

/** About 13 s in all. */
const LONGEST_WAIT_MS = 8_000;

/**
 * A git of a host that was killed may still write files there; it ends soon, or can not go on once its folder is gone.
 */
async function removeAll(path: string): Promise<void> {
  for (let wait = 50; ; wait *= 2)
    try {
      return await rm(path, { recursive: true, force: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOTEMPTY' || wait > LONGEST_WAIT_MS) throw error;
      await sleep(wait);
    }
}

const FEW = 100;

/** Follows no link. What can not be listed counts as one entry. */
async function isSmall(path: string): Promise<boolean> {
  const folders: Buffer[] = [Buffer.from(path)];
  let entries = 0;
  for (let folder = folders.pop(); folder; folder = folders.pop()) {
    const found = await readdir(folder, { withFileTypes: true, encoding: 'buffer' }).catch(
      () => [],
    );
    entries += found.length;
    if (entries > FEW) return false;
    for (const entry of found)
      if (entry.isDirectory()) folders.push(belowFolder(folder, entry.name));
  }
  return true;
}
