import { lstat, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AttemptRecord,
  attemptFolder,
  carvedIndex,
  type IndexedTree,
  type Look,
  type SavedState,
  savedIndex,
} from '../attempt/attempt-record.ts';
import { hashOfFile } from '../attempt/hash-of-file.ts';
import { holdsNothingNew } from '../attempt/holds-nothing-new.ts';
import { codeOf, WorktreeError } from '../error.ts';
import type { Git } from '../git/git.ts';
import { joinNul, nameOf, splitNul } from '../git/nul-list.ts';
import { shown } from '../shown.ts';
import type { ContentGit } from './content-git.ts';
import { copyIndex } from './private-index.ts';
import { survey } from './survey.ts';
import { isOlderThan, type Sighting } from './trace.ts';
import { type Desk, IGNORED, ignoredIn, listIgnored } from './untracked.ts';
import { listWorktree } from './worktree-listing.ts';

/** The content of a worktree as a tree, and what is in it that no tree holds. */
export interface Snapshot {
  readonly tree: string;
  /** That the index which was kept stands for it. */
  readonly indexed: IndexedTree;
  readonly ignored: readonly string[];
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
 * `.git` are not used. The index is kept as that of the look; without one, nothing is. Throws `WORKTREE_GONE`,
 * `SALVAGE_TOO_LARGE` and `SALVAGE_INCOMPLETE`.
 */
export async function snapshot(site: Site, record: AttemptRecord, look?: Look): Promise<Snapshot> {
  const { root } = site;
  const { taskId, attempt } = record;
  return onCopy(site, record, carvedIndex(root, taskId, attempt), async (desk, digest) => {
    const { gone, present, nested, isAll } = await listWorktree(desk);
    const git = desk.content.on(desk.path, desk.index);
    if (gone.length > 0) await update(git, ['--force-remove'], gone);
    const { tree, refused, ignored } =
      (await takeAtOnce(desk, present, isAll)) ?? (await takeStepByStep(desk, present));
    const indexed = { sha256: await hashOfFile(desk.index), tree, ...(digest && { digest }) };
    if (look) await rename(desk.index, savedIndex(root, taskId, attempt, look));
    return {
      tree,
      indexed,
      ignored: ignored.map(nameOf),
      nested: nested.map(nameOf),
      refused: refused.map(nameOf),
    };
  });
}

/**
 * True while the worktree holds exactly what that look saved, and what it could not take. Git is asked only where the
 * stamps of the files differ, or do not tell.
 */
export async function isAsSaved(
  site: Site,
  record: AttemptRecord,
  look: Look,
  seen: { readonly tree: string } & Pick<SavedState, 'refused'>,
): Promise<boolean> {
  const { taskId, attempt, indexed } = record;
  const noted = indexed?.[look];
  const now = await surveyed(record);
  if (now && now.digest === noted?.digest && noted.tree === seen.tree) return true;
  return onCopy(site, record, savedIndex(site.root, taskId, attempt, look), (desk) =>
    holdsNothingNew(desk, { ...seen, indexed: noted }),
  );
}

/** Whoever lets git look at a worktree has it surveyed before. */
async function surveyed({ path, frozen }: AttemptRecord): Promise<Sighting | undefined> {
  const folder = await lstat(path).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new WorktreeError(
      'WORKTREE_GONE',
      `the worktree ${shown(path)} is no longer there`,
      'Nothing was taken for deleted. Commits that the worker made are kept on the attempt’s ref.',
    );
  return survey(path, { frozen });
}

/**
 * A fresh copy each time: whatever lock an ended git left beside an index is not in the way. Its folder is younger than
 * whatever is not being changed just then.
 */
async function onCopy<T>(
  { content, root }: Site,
  record: AttemptRecord,
  from: string,
  read: (desk: Desk, digest: string | undefined) => Promise<T>,
): Promise<T> {
  const { path, taskId, attempt, frozen, produces } = record;
  const draft = await mkdtemp(join(attemptFolder(root, taskId, attempt), 'draft-'));
  try {
    const { ctimeMs: now } = await stat(draft);
    const seen = await surveyed(record);
    const digest = seen && isOlderThan(seen, now) ? seen.digest : undefined;
    const index = join(draft, 'index');
    await copyIndex(from, index);
    return await read({ content, path, index, frozen, produces, seen }, digest);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** A flush for each file of more would take longer than a stop may. */
const MOST_FLUSHES = 200;

const TAKE = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'] as const;

const update = (git: Git, how: readonly string[], names: readonly Buffer[]) =>
  git(['update-index', ...how, '-z', '--stdin'], {
    input: joinNul(names),
    lasting: names.length > MOST_FLUSHES ? 'together' : 'each',
  });

interface Taken {
  readonly tree: string;
  readonly refused: readonly Buffer[];
  readonly ignored: readonly Buffer[];
}

/** All in one go, as long as there is nothing to say about any of it. */
async function takeAtOnce(
  desk: Desk,
  names: readonly Buffer[],
  nothingIsIgnored: boolean,
): Promise<Taken | undefined> {
  if (names.length > MOST_FLUSHES) return undefined;
  const { content, path, index } = desk;
  const inTurn = content.inTurnOn(path, index);
  const take = names.length > 0 ? [TAKE] : [];
  const list = nothingIsIgnored ? [] : [IGNORED];
  const call = { input: joinNul(names), lasting: 'each' } as const;
  const done = await inTurn([...take, ['write-tree'], ...list], call).catch((error: unknown) => {
    // One of them did not like something: step by step it is found out what.
    if (codeOf(error) === 'GIT_FAILED') return undefined;
    throw error;
  });
  const end = done?.stdout.indexOf('\n') ?? -1;
  if (done?.stderr !== '' || end < 0) return undefined;
  const [tree, listed] = [done.stdout.subarray(0, end), done.stdout.subarray(end + 1)];
  return { tree: tree.toString('latin1'), refused: [], ignored: ignoredIn(desk, listed) };
}

async function takeStepByStep(desk: Desk, names: readonly Buffer[]): Promise<Taken> {
  const refused = await take(desk, names);
  const git = desk.content.on(desk.path, desk.index);
  const { text: tree } = await git(['write-tree'], { lasting: 'each' });
  return { tree, refused, ignored: await listIgnored(desk) };
}

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
