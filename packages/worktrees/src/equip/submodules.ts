import { lstat, mkdtemp, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../error.ts';
import type { Git } from '../git/git.ts';
import { shown, shownNames } from '../shown.ts';
import type { EquipSite, Place } from './equip.ts';
import { type Submodule, submodulesOf } from './gitmodules.ts';

/** Submodules, and those inside them. */
const DEEPEST = 2;

/** Where submodules of one commit go and come from. */
interface Level {
  /** Git on the objects that have the commit. */
  readonly objects: Git;
  readonly commit: string;
  /** The worktree’s folder of it. */
  readonly path: string;
  /** The git dir whose `modules` are used. */
  readonly gitDir: string;
  readonly depth: number;
}

/**
 * Fills the folders of submodules with files, without a `.git`, from objects that the clone has already. No
 * config, filter or hook of a submodule is used. Resolves to those folders; others stay empty, with one warning.
 */
export async function fillSubmodules(site: EquipSite, place: Place): Promise<string[]> {
  if (await hasNone(site, place)) return [];
  const empty: string[] = [];
  const top = { objects: site.content.objects, commit: place.base, path: place.path };
  const filled = await fillLevel(site, { ...top, gitDir: site.commonDir, depth: 1 }, empty);
  if (empty.length > 0)
    site.warn(
      `submodules stay empty because the clone does not have them: ${shownNames(empty)}; git submodule update --init brings them`,
    );
  return filled;
}

/** Without a process, where what was just written is all of the commit: it lacks the file that names submodules. */
async function hasNone({ content }: EquipSite, { path, isBase }: Place): Promise<boolean> {
  if (content.isSparse || !isBase) return false;
  const found = await lstat(join(path, '.gitmodules')).catch((error: unknown) => codeOf(error));
  return found === 'ENOENT';
}

async function fillLevel(site: EquipSite, level: Level, empty: string[]): Promise<string[]> {
  const filled: string[] = [];
  for (const submodule of await submodulesOf(level.objects, level.commit)) {
    const path = join(level.path, submodule.path);
    // Of a sparse checkout it may be left out.
    if (!(await isFolder(path))) continue;
    const inside = level.depth > DEEPEST ? undefined : await fill(site, level, submodule, path);
    if (inside === undefined) {
      empty.push(submodule.path);
      continue;
    }
    if (level.depth === 1) filled.push(path);
    await fillLevel(site, inside, empty);
  }
  return filled;
}

async function fill(
  site: EquipSite,
  { gitDir, depth }: Level,
  { name, commit }: Submodule,
  path: string,
): Promise<Level | undefined> {
  const module = name === undefined ? undefined : await moduleDir(gitDir, name);
  if (module === undefined) return undefined;
  const env = { GIT_OBJECT_DIRECTORY: join(module, 'objects') };
  const objects: Git = (args, call = {}) =>
    site.content.objects(args, { ...call, env: { ...call.env, ...env } });
  const draft = await mkdtemp(join(site.root, 'submodule-'));
  try {
    const known = await objects(['cat-file', '-e', `${commit}^{tree}`], { answers: [0, 1, 128] });
    if (known.exitCode !== 0) return undefined;
    const git = site.content.on(path, join(draft, 'index'));
    await git(['read-tree', '--reset', '-u', '--no-sparse-checkout', commit], {
      env,
      timeoutMs: CHECKOUT_MS,
    });
    return { objects, commit, path, gitDir: module, depth: depth + 1 };
  } catch (error) {
    site.warn(
      `the submodule ${shown(path)} is incomplete: ${error instanceof Error ? shown(error.message) : 'unknown'}`,
    );
    return undefined;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

const CHECKOUT_MS = 600_000;

/** The git dir of a submodule, unless its name leads out of the folder of them. */
async function moduleDir(gitDir: string, name: string): Promise<string | undefined> {
  const modules = join(gitDir, 'modules');
  const found = await realpath(join(modules, name)).catch(() => undefined);
  return found?.startsWith(join(modules, '/')) && (await isFolder(join(found, 'objects')))
    ? found
    : undefined;
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
