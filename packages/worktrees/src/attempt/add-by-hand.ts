import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ContentGit } from '../content/content-git.ts';
import { codeOf } from '../error.ts';
import { readPlainRef } from '../git/plain-ref.ts';
import { readCommits } from '../git/read-commits.ts';
import type { Site } from '../site.ts';
import { registrationName } from './registration-name.ts';

interface Wanted {
  readonly path: string;
  /** The full name of a commit, or of a tag of one. */
  readonly base: string;
  readonly reason: string;
}

interface Registry extends Pick<Site, 'commonDir' | 'names' | 'root'> {
  readonly content: Pick<ContentGit, 'isShared'>;
}

/**
 * Registers a worktree without files as gitrepository-layout(5) has it, with a detached HEAD and locked, in place of
 * three processes. False when the path is registered. `undefined`, with nothing left behind, where git has to be asked:
 * the clone has more than that layout, or something is in the way.
 */
export async function addByHand(
  { commonDir, names, root, content }: Registry,
  { path, base, reason }: Wanted,
): Promise<boolean | undefined> {
  if (content.isShared || /\n/.test(path + commonDir + reason) || !(await isPlain(commonDir)))
    return undefined;
  const [found] = await readCommits(names, [base]);
  if (!found) return undefined;
  const folder = join(commonDir, 'worktrees');
  if (await isRegistered(folder, path)) return false;
  try {
    mkdirSync(folder, { recursive: true });
    const gitDir = claim(folder, registrationName(root, path));
    return gitDir === undefined ? undefined : fill(gitDir, { path, reason, base: found.commit });
  } catch {
    return undefined;
  }
}

/** Nothing that git would copy into a worktree of its own, and refs in files. */
async function isPlain(commonDir: string): Promise<boolean> {
  const more = ['config.worktree', 'info/sparse-checkout', 'reftable'];
  if (more.some((name) => existsSync(join(commonDir, name)))) return false;
  const head = await readPlainRef(join(commonDir, 'HEAD'));
  return head?.kind === 'branch' || head?.kind === 'commit';
}

async function isRegistered(folder: string, path: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pointer = await readFile(join(folder, name, 'gitdir'), 'utf8').catch(() => '');
    if (resolve(folder, name, pointer.replace(/\n$/, '')) === join(path, '.git')) return true;
  }
  return false;
}

/** A folder that nobody else has: of the given name, or with a number behind it, as git does it. */
function claim(folder: string, name: string): string | undefined {
  for (let count = 0; count <= MOST_NAMES; count += 1) {
    const gitDir = join(folder, count === 0 ? name : `${name}${count}`);
    try {
      mkdirSync(gitDir);
      return gitDir;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
  return undefined;
}

const MOST_NAMES = 10_000;

/**
 * In one go. `gitdir` comes last and whole: what has none is no worktree to git. What a host leaves that ends on the way
 * is known by its name.
 */
function fill(gitDir: string, { path, base, reason }: Wanted): true {
  const put = (file: string, line: string) => writeFileSync(file, `${line}\n`, { flag: 'wx' });
  let isMade = false;
  try {
    put(join(gitDir, 'commondir'), '../..');
    put(join(gitDir, 'HEAD'), base);
    mkdirSync(path);
    isMade = true;
    put(join(path, '.git'), `gitdir: ${gitDir}`);
    put(join(gitDir, 'locked'), reason);
    put(join(gitDir, 'gitdir.new'), join(path, '.git'));
    renameSync(join(gitDir, 'gitdir.new'), join(gitDir, 'gitdir'));
    return true;
  } catch (error) {
    rmSync(gitDir, { recursive: true, force: true });
    if (isMade) {
      rmSync(join(path, '.git'), { force: true });
      rmdirSync(path);
    }
    throw error;
  }
}
