import { lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AttemptRecord, attemptFolder, carvedIndex, savedIndex } from './attempt-record.ts';
import type { ContentGit } from './content-git.ts';
import { codeOf, WorktreeError } from './error.ts';
import type { Git } from './git.ts';
import { joinNul, nameOf, splitNul } from './nul-list.ts';
import { copyIndex } from './private-index.ts';
import { shown } from './shown.ts';
import { survey } from './survey.ts';
import type { Desk } from './untracked.ts';
import { listWorktree } from './worktree-listing.ts';

/** The content of a worktree as a tree, and what is in it that no tree can hold. */
export interface Snapshot {
  readonly tree: string;
  readonly nested: readonly string[];
  readonly refused: readonly string[];
}

/** More names than this that git refuses are an attack on the clock. */
const MOST_REFUSED = 50;

interface Site {
  readonly content: ContentGit;
  readonly root: string;
}

/**
 * Reads a worktree into a tree through a copy of the index it was carved with; the worktree’s own index and its
 * `.git` are not used. Throws `WORKTREE_GONE`, `SALVAGE_TOO_LARGE` and `SALVAGE_INCOMPLETE`.
 */
export async function snapshot(site: Site, record: AttemptRecord): Promise<Snapshot> {
  const { root } = site;
  const { taskId, attempt } = record;
  return onCopy(site, record, carvedIndex(root, taskId, attempt), async (desk) => {
    const { gone, present, nested } = await listWorktree(desk);
    const git = desk.content.on(desk.path, desk.index);
    if (gone.length > 0) await update(git, ['--force-remove'], gone);
    const refused = await take(desk, present);
    const { text: tree } = await git(['write-tree']);
    await rename(desk.index, savedIndex(root, taskId, attempt));
    return { tree, nested: nested.map(nameOf), refused: refused.map(nameOf) };
  });
}

/** True while the worktree holds exactly what the last snapshot saw, and what that could not take. */
export const isAsSaved = (
  site: Site,
  record: AttemptRecord,
  { refused }: Pick<Snapshot, 'refused'>,
): Promise<boolean> =>
  onCopy(site, record, savedIndex(site.root, record.taskId, record.attempt), async (desk) => {
    const { gone, present } = await listWorktree(desk);
    return gone.length === 0 && present.every((name) => refused.includes(nameOf(name)));
  });

/** Git gets to a worktree only after the survey. A fresh copy each time: whatever lock an ended git left beside an index is not in the way. */
async function onCopy<T>(
  { content, root }: Site,
  { path, taskId, attempt }: AttemptRecord,
  from: string,
  read: (desk: Desk) => Promise<T>,
): Promise<T> {
  const folder = await lstat(path).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new WorktreeError(
      'WORKTREE_GONE',
      `the worktree ${shown(path)} is no longer there`,
      'Nothing was taken for deleted. Commits that the worker made are kept on the attempt’s ref.',
    );
  await survey(path);
  const draft = await mkdtemp(join(attemptFolder(root, taskId, attempt), 'draft-'));
  try {
    const index = join(draft, 'index');
    await copyIndex(from, index);
    return await read({ content, path, index });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const update = (git: Git, how: readonly string[], names: readonly Buffer[]) =>
  git(['update-index', ...how, '-z', '--stdin'], { input: joinNul(names) });

/** Puts files into the index. Gives back those that git does not take, whatever it is told. */
async function take(desk: Desk, names: readonly Buffer[]): Promise<Buffer[]> {
  if (names.length === 0) return [];
  const { content, path, index } = desk;
  const refused: Buffer[] = [];
  let skipped = false;
  const add = async (git: Git, some: readonly Buffer[]) => {
    const { stderr } = await update(git, ['--add', '--remove', '--replace'], some);
    skipped ||= /^Ignoring path /m.test(stderr);
  };
  const takeSome = async (some: readonly Buffer[]): Promise<void> => {
    try {
      await add(content.on(path, index), some);
    } catch (error) {
      if (codeOf(error) !== 'GIT_FAILED') throw error;
      if (some.length === 1) {
        await add(content.verbatim(path, index), some).catch(() => refused.push(...some));
        if (refused.length > MOST_REFUSED) throw error;
        return;
      }
      const middle = Math.ceil(some.length / 2);
      await takeSome(some.slice(0, middle));
      await takeSome(some.slice(middle));
    }
  };
  await takeSome(names);
  return skipped ? [...refused, ...(await missing(desk, names, refused))] : refused;
}

async function missing(
  { content, path, index }: Desk,
  names: readonly Buffer[],
  known: readonly Buffer[],
): Promise<Buffer[]> {
  const { stdout } = await content.on(path, index)(['ls-files', '-z']);
  const keyOf = (name: Buffer) => name.toString('latin1');
  const there = new Set([...splitNul(stdout), ...known].map(keyOf));
  return names.filter((name) => !there.has(keyOf(name)));
}
