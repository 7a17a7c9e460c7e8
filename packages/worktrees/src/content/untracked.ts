import { join } from 'node:path';
import { WorktreeError } from '../error.ts';
import { belowFolder, splitNul } from '../git/nul-list.ts';
import { shown } from '../shown.ts';
import type { ContentGit } from './content-git.ts';
import { isFrozen } from './frozen.ts';
import { openUp } from './open-up.ts';
import type { Sighting } from './trace.ts';

/** A worktree, and the private index that it is compared with. */
export interface Desk {
  readonly content: ContentGit;
  readonly path: string;
  readonly index: string;
  /** Absolute paths that are passed over with all below them. */
  readonly frozen: readonly string[];
  /** Relative paths that count even where git ignores them. */
  readonly produces: readonly string[];
  /** What a survey of it has just seen. */
  readonly seen?: Sighting | undefined;
}

interface Untracked {
  readonly files: readonly Buffer[];
  /** Folders that are repositories of their own. */
  readonly nested: readonly Buffer[];
  /** Paths that the index has as submodules. */
  readonly submodules: readonly Buffer[];
}

const SLASH = '/'.charCodeAt(0);

/**
 * Lists files that are not in the index, those inside nested repositories included, and the submodules that are.
 * Ignored files are left out but for those at or below the produced paths.
 */
export async function listUntracked(desk: Desk, walk?: Walk): Promise<Untracked> {
  const produced = producedPaths(desk.produces);
  const { others, submodules } = walk ?? (await walkOnce(desk));
  const names = [
    ...others,
    ...(produced.length > 0 ? await listOthers(desk, ['--ignored', '--', ...produced]) : []),
  ];
  const isFolder = (name: Buffer) => name.at(-1) === SLASH;
  const inside = await listRepositories(
    desk,
    names.filter(isFolder).map((name) => name.subarray(0, -1)),
  );
  return {
    files: [...names.filter((name) => !isFolder(name)), ...inside.files],
    nested: inside.nested,
    submodules,
  };
}

/** Lists nested repositories and their files. Git stops at one; a listing of its own, against no index, goes on. */
export async function listRepositories(
  desk: Desk,
  folders: readonly Buffer[],
): Promise<Omit<Untracked, 'submodules'>> {
  const files: Buffer[] = [];
  const nested: Buffer[] = [];
  for (const folder of folders) {
    nested.push(folder);
    const text = folder.toString('utf8');
    // An argument is text: a folder whose name is not stays listed as nested, without its files.
    if (!Buffer.from(text).equals(folder)) continue;
    const path = join(desk.path, text);
    const inside = await listUntracked({
      ...desk,
      path,
      index: `${desk.index}.none`,
      produces: [],
      seen: undefined,
    });
    for (const one of inside.nested) nested.push(belowFolder(folder, one));
    for (const one of inside.files) files.push(belowFolder(folder, one));
  }
  return { files, nested };
}

/** More than any listing needs; an ignored folder is named as one. */
const MOST_IGNORED = 200;

/** Lists ignored paths that are not in the index, a wholly ignored folder as one name with a slash at its end. */
export const listIgnored = async (desk: Desk): Promise<Buffer[]> =>
  fewIgnored(await listOthers(desk, ['--ignored', '--directory']));

/** The command for that, for whoever asks more in one go. */
export const IGNORED: readonly [string, ...string[]] = [
  'ls-files',
  ...['--others', '--exclude-standard', '-z', '--ignored', '--directory'],
];

/** What it has listed. */
export const ignoredIn = (desk: Desk, list: Buffer): Buffer[] =>
  fewIgnored(splitNul(list).filter(isWorkers(desk)));

function fewIgnored(names: readonly Buffer[]): Buffer[] {
  const listed: Buffer[] = [];
  let folder: Buffer | undefined;
  for (const name of names) {
    // Git names a folder of ignored files, and then the files.
    if (folder && name.subarray(0, folder.length).equals(folder)) continue;
    folder = name.at(-1) === SLASH ? name : undefined;
    listed.push(name);
    if (listed.length === MOST_IGNORED) break;
  }
  return listed;
}

const OTHER = Buffer.from('? ');
/** After the letter of a path in the index. */
const SUBMODULE = Buffer.from(' 160000 ');
const TAB = '\t'.charCodeAt(0);

/** What one walk of git through a worktree tells. */
export interface Walk {
  /** How many files of the index belong in the worktree. */
  readonly tracked: number;
  readonly others: readonly Buffer[];
  readonly submodules: readonly Buffer[];
  /** Files of the index that have other content, those that are gone among them; only where it was asked for. */
  readonly edited: readonly Buffer[];
  /** Those that are gone; only where it was asked for. */
  readonly gone: readonly Buffer[];
}

/** Each entry has a letter, so that no name can pass for another kind. */
export async function walkOnce(desk: Desk, also: readonly Edits[] = []): Promise<Walk> {
  return walkIn(desk, splitNul(await list(desk, ['-t', '--stage', ...also])));
}

/** A file of the index that is not as the index has it; a letter as `diff-files --raw` gives it. */
export interface Edited {
  readonly status: string;
  readonly name: Buffer;
}

/**
 * What differs, and such a walk: by one start of a process. Where there are symbolic links, git compares by itself: the
 * walk finds a file again behind one that took its folder's place.
 */
export async function compareAndWalk(
  desk: Desk,
): Promise<{ readonly edited: readonly Edited[]; readonly walk: Walk }> {
  if (desk.seen?.links === 0) {
    const walk = await walkOnce(desk, ['--modified', '--deleted']);
    const gone = new Set(walk.gone.map(nameKey));
    const edited = walk.edited.filter((name) => !gone.has(nameKey(name)));
    const as = (status: string) => (name: Buffer) => ({ status, name });
    return { edited: [...edited.map(as('M')), ...walk.gone.map(as('D'))], walk };
  }
  const compare = ['diff-files', '--raw', '-z', '--no-renames', '--ignore-submodules=all'] as const;
  const fields = splitNul(await list(desk, ['-t', '--stage'], [compare]));
  const edited: Edited[] = [];
  let at = 0;
  // `:modes oids status` and a path each; what the walk has listed begins with a letter.
  for (; fields[at]?.[0] === COLON; at += 2) {
    const [meta, name] = fields.slice(at, at + 2);
    if (meta && name) edited.push({ status: meta.toString('latin1').slice(-1), name });
  }
  const are = isWorkers(desk);
  return {
    edited: edited.filter(({ name }) => are(name)),
    walk: walkIn(desk, fields.slice(at)),
  };
}

const nameKey = (name: Buffer): string => name.toString('latin1');

const COLON = ':'.charCodeAt(0);

function walkIn(desk: Desk, entries: readonly Buffer[]): Walk {
  const others: Buffer[] = [];
  const submodules = new Set<string>();
  const edited: Buffer[] = [];
  const gone: Buffer[] = [];
  let tracked = 0;
  for (const entry of entries)
    if (entry.subarray(0, OTHER.length).equals(OTHER)) others.push(entry.subarray(OTHER.length));
    else if (entry.subarray(1, 1 + SUBMODULE.length).equals(SUBMODULE))
      submodules.add(nameKey(entry.subarray(entry.indexOf(TAB) + 1)));
    else if (entry[0] === MODIFIED) edited.push(entry.subarray(entry.indexOf(TAB) + 1));
    else if (entry[0] === REMOVED) gone.push(entry.subarray(entry.indexOf(TAB) + 1));
    else if (entry[0] === HELD) tracked += 1;
  const are = isWorkers(desk);
  return {
    tracked,
    others: others.filter(are),
    submodules: [...submodules].map((name) => Buffer.from(name, 'latin1')).filter(are),
    edited: edited.filter(are),
    gone: gone.filter(are),
  };
}

type Edits = '--modified' | '--deleted';
const MODIFIED = 'C'.charCodeAt(0);
const REMOVED = 'R'.charCodeAt(0);
/** Not one that a sparse checkout leaves out. */
const HELD = 'H'.charCodeAt(0);

const listOthers = async (desk: Desk, more: readonly string[]): Promise<Buffer[]> =>
  splitNul(await list(desk, more)).filter(isWorkers(desk));

function isWorkers({ path, frozen }: Desk): (name: Buffer) => boolean {
  const passedOver = isFrozen(frozen);
  const folder = Buffer.from(path);
  return (name) => !passedOver(belowFolder(folder, name));
}

type Command = readonly [string, ...string[]];

/** What the commands before it print comes first. */
async function list(
  desk: Desk,
  more: readonly string[],
  before: readonly Command[] = [],
): Promise<Buffer> {
  const { content, path, index } = desk;
  const command: Command = ['ls-files', '--others', '--exclude-standard', '-z', ...more];
  const ask = () =>
    before.length === 0
      ? content.on(path, index)(command)
      : content.inTurnOn(path, index)([...before, command]);
  let { stdout, stderr } = await ask();
  if (/could not open directory/.test(stderr)) {
    await openUp(Buffer.from(path), { except: isFrozen(desk.frozen) });
    ({ stdout, stderr } = await ask());
  }
  if (/could not open directory/.test(stderr))
    throw new WorktreeError(
      'SALVAGE_INCOMPLETE',
      `a folder below ${shown(path)} can not be read`,
      'The worktree was kept; make the folder readable and salvage again.',
    );
  return stdout;
}

/** Paths as git names them. What can not be below the worktree is no path in it. */
function producedPaths(produces: readonly string[]): string[] {
  const paths = produces.map((path) =>
    path
      .split('/')
      .filter((part, at) => part !== '.' && (part !== '' || at === 0))
      .join('/'),
  );
  const isInside = (path: string) =>
    path !== '' && !path.startsWith('/') && !/(?:^|\/)\.\.(?:\/|$)|\0/.test(path);
  return [...new Set(paths.filter(isInside))];
}
