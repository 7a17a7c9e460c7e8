import { join } from 'node:path';
import { WorktreeError } from '../error.ts';
import { splitNul } from '../git/nul-list.ts';
import { shown, shownNames } from '../shown.ts';
import type { Site } from '../site.ts';
import { textOf } from './byte-path.ts';
import { listIgnored, select } from './ignored.ts';
import { type Pattern, patternOf } from './pattern.ts';
import { type Budget, bring, type Placed, takeBack } from './place.ts';
import { alignSparse } from './sparse.ts';
import { fillSubmodules } from './submodules.ts';

/**
 * What a worktree gets from the clone beside the commit’s files: globs relative to the clone’s top, for files
 * and folders that git ignores there.
 */
export interface Equipment {
  /** Copied; a worker may change them. */
  readonly copy?: readonly string[];
  /** Hard-linked, and so frozen: a change would be one of the clone’s file. */
  readonly link?: readonly string[];
}

export type EquipSite = Pick<Site, 'refs' | 'topLevel' | 'commonDir' | 'root' | 'content' | 'warn'>;

/** A worktree that was just made. */
export interface Place {
  readonly path: string;
  readonly gitDir: string;
  /** The commit that its submodules are from. */
  readonly base: string;
  /** Its files are those of that commit, and nothing else. */
  readonly isBase: boolean;
}

const GIB = 2 ** 30;
const COPIES: Readonly<Budget> = Object.freeze({ files: 100_000, bytes: 4 * GIB });
/** Links take no room of their own; where they can not be made, the bytes count. */
const LINKS: Readonly<Budget> = Object.freeze({ files: 400_000, bytes: 4 * GIB });
const MOST_LINKED = 100;

/**
 * Readies a fresh worktree: submodules that the clone has, ignored files, the checkout’s sparse set. Resolves to
 * the absolute paths inside it that a worker may only read. Throws `INVALID_EQUIPMENT` before it touches
 * anything, and `EQUIPMENT_TOO_LARGE`.
 */
export async function equip(
  site: EquipSite,
  place: Place,
  { copy = [], link = [] }: Equipment = {},
): Promise<readonly string[]> {
  const copies = copy.map(patternOf);
  const links = link.map(patternOf);
  await alignSparse(site, place);
  const submodules = await fillSubmodules(site, place);
  if (copies.length + links.length === 0) return submodules;
  const ignored = await listIgnored(site);
  const bringing = { from: site.topLevel, to: place.path };
  const brought: Brought[] = [];
  const bringAll = async (patterns: readonly Pattern[], by: Brought['by'], budget: Budget) => {
    for (const pattern of patterns)
      for (const one of await select(site.topLevel, ignored, pattern)) {
        assertFew(brought, pattern);
        const placed = await bring(one, { ...bringing, by, budget, pattern: pattern.text });
        if (placed.files.length > 0) brought.push({ by, path: textOf(one.path), placed });
      }
  };
  await bringAll(copies, 'copy', { ...COPIES });
  await bringAll(links, 'link', { ...LINKS });
  const linked = await keepIgnored(site, place, brought);
  return [...submodules, ...linked.map((path) => join(place.path, path))];
}

interface Brought {
  readonly by: 'copy' | 'link';
  readonly path: string;
  readonly placed: Placed;
}

function assertFew(brought: readonly Brought[], { text }: Pattern): void {
  if (brought.filter(({ by }) => by === 'link').length < MOST_LINKED) return;
  throw new WorktreeError(
    'EQUIPMENT_TOO_LARGE',
    `the equipment pattern ${shown(text)} names too much: more than ${MOST_LINKED} files and folders to link`,
    'Name the folders that they are in.',
  );
}

/**
 * Takes back what git would not ignore in the worktree, since it would pass for the worker’s; of what is linked,
 * the whole. Resolves to the linked paths that stay.
 */
async function keepIgnored(
  { content, warn }: EquipSite,
  { path, gitDir }: Place,
  brought: readonly Brought[],
): Promise<string[]> {
  if (brought.length === 0) return [];
  const git = content.on(path, join(gitDir, 'index'));
  const { stdout } = await git(['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  const seen = new Set(splitNul(stdout).map((name) => name.toString('latin1')));
  const linked: string[] = [];
  const taken: string[] = [];
  for (const one of brought) {
    const bad = one.placed.files.filter((file) => seen.has(file));
    if (bad.length === 0) {
      if (one.by === 'link') linked.push(one.path);
      continue;
    }
    await takeBack(path, one.by === 'link' ? one.placed : { files: bad, folders: [] });
    taken.push(...(one.by === 'link' ? [one.path] : bad.map(textOf)));
  }
  if (taken.length > 0)
    warn(`not brought into the worktree, where git does not ignore it: ${shownNames(taken)}`);
  return linked;
}
