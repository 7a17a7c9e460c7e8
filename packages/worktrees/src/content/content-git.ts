import { existsSync } from 'node:fs';
import { appendFile, copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { checkoutDir } from '../equip/checkout-dir.ts';
import { type Git, type GitInTurn, gitAt, gitOnDesk } from '../git/git.ts';
import { gitShells } from '../git/git-shell.ts';
import { type Asking, keepAsking } from '../git/keep-asking.ts';
import { splitNul } from '../git/nul-list.ts';
import { type ObjectReader, objectReader } from '../git/object-reader.ts';
import { type Recent, recent } from '../git/recent.ts';
import { writtenObjects } from '../git/written-objects.ts';
import type { MergedTree } from '../integration/merge-commits.ts';
import type { StoredEntry } from '../integration/stored-tree.ts';
import { treeWriter } from '../integration/write-tree.ts';
import type { FileChange } from './change-set.ts';
import { DIFFERENCES, type TwoTrees } from './tree-differences.ts';
import { type NewCommit, writeCommit } from './write-commit.ts';

/** Config that says how content is stored and can name no program. */
const INERT: ReadonlySet<string> = new Set([
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.protecthfs',
  'core.protectntfs',
  'core.sharedrepository',
  'core.bigfilethreshold',
  'core.compression',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'merge.renames',
  'merge.renamelimit',
  'merge.directoryrenames',
  'diff.renamelimit',
]);

/** Absent where it is what it has always been. */
const FORMAT = 'extensions.objectformat';

/** More than are at work at a time. */
const MOST_RECENT = 64;

/** Two that take longer to compare are compared by a git of their own. */
const COUNTING = { idleMs: 5_000, answerMs: 1_000 };

const PLAIN_VALUE = /^[\w.-]+$/;

/** Outranks every attribute that a tree can set: bytes are stored as they are. */
const AS_IT_IS = '* -text -ident -filter !eol !working-tree-encoding\n';

/**
 * An encoding lets a file say one thing in its folder and another in the commit, and an attribute file that git ignores
 * can ask for it. So nobody gets one: workers see what is stored.
 */
const STORED_AS_SEEN = '\n* !working-tree-encoding\n';

/**
 * Git on git dirs of our own over the clone’s object store. Their config is ours and names no driver, so a
 * filter, merge or diff driver that an attribute asks for does not exist, whatever the clone’s config defines.
 */
export interface ContentGit {
  /** Git on a worktree through a private index. */
  on(workTree: string, index: string): Git;
  /** Several commands there. */
  inTurnOn(workTree: string, index: string): GitInTurn;
  /** The same, without conversions: line ends and encodings that a hostile attribute would trip over. */
  verbatim(workTree: string, index: string): Git;
  /** Git on objects alone. */
  readonly objects: Git;
  /** The same, to read what has a name of its own. */
  readonly reader: ObjectReader;
  /** Writes a commit by the product, for good. The tree and the parents have to be there. */
  commit(commit: NewCommit): Promise<string>;
  /** Writes a tree of what is there, for good. Where it rejects, a git of its own can do it. */
  writeTree(entries: readonly StoredEntry[]): Promise<string>;
  /** What two trees differ in. */
  readonly trees: Asking<TwoTrees, Buffer>;
  /** What two commits differ in, by their names. */
  readonly differences: Recent<readonly FileChange[]>;
  /** What their merge is, by their names. */
  readonly merges: Recent<MergedTree>;
  /** Whether the second has the first in its history. */
  readonly descents: Recent<boolean>;
  /** What is written in the clone gets rights that the clone's config names. */
  readonly isShared: boolean;
  /** A worktree may be without some of its commit’s files. */
  readonly isSparse: boolean;
  /** Ends every git that is kept. The next question starts another. */
  rest(): void;
}

interface Sources {
  readonly topLevel: string;
  readonly commonDir: string;
  /** A folder of the run. */
  readonly root: string;
}

/** Makes what is not there yet; a run that goes on finds its own again. */
export async function openContentGit({ topLevel, commonDir, root }: Sources): Promise<ContentGit> {
  const normal = join(root, 'git');
  const verbatim = join(root, 'git-verbatim');
  const nothing = join(root, 'empty');
  await mkdir(nothing, { recursive: true });
  const checkout = await checkoutDir({ topLevel, commonDir });
  let config: string | undefined;
  const make = async (gitDir: string, finish: (info: string) => Promise<void>) => {
    if (existsSync(gitDir)) return;
    config ??= await inertConfig(gitAt({ gitDir: checkout, workTree: topLevel }));
    const draft = `${gitDir}.new`;
    await rm(draft, { recursive: true, force: true });
    for (const folder of ['info', 'objects', 'refs'])
      await mkdir(join(draft, folder), { recursive: true });
    await writeFile(join(draft, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(draft, 'config'), config);
    await copyIfThere(join(commonDir, 'info/exclude'), join(draft, 'info/exclude'));
    await copyIfThere(join(checkout, 'info/sparse-checkout'), join(draft, 'info/sparse-checkout'));
    await finish(join(draft, 'info'));
    await rename(draft, gitDir);
  };
  await make(normal, async (info) => {
    const file = join(info, 'attributes');
    await copyIfThere(join(commonDir, 'info/attributes'), file);
    await appendFile(file, STORED_AS_SEEN);
  });
  await make(verbatim, (info) => writeFile(join(info, 'attributes'), AS_IT_IS));

  const shallow = join(commonDir, 'shallow');
  const env = {
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    ...(existsSync(shallow) ? { GIT_SHALLOW_FILE: shallow } : {}),
  };
  const place = { gitDir: normal, workTree: nothing, env };
  const objects = gitAt(place);
  const reader = objectReader(place);
  const trees = keepAsking(place, DIFFERENCES, COUNTING);
  const commits = keepAsking(place, writtenObjects('commit'));
  const shells = gitShells(place);
  const on = (workTree: string, index: string) =>
    gitOnDesk({ gitDir: normal, workTree, index, env }, shells);
  const written = treeWriter({
    ...{ kept: keepAsking(place, writtenObjects('tree')), folder: normal },
    store: env.GIT_OBJECT_DIRECTORY,
  });
  return {
    on: (workTree, index) => on(workTree, index).one,
    inTurnOn: (workTree, index) => on(workTree, index).inTurn,
    verbatim: (workTree, index) => gitOnDesk({ gitDir: verbatim, workTree, index, env }).one,
    ...{ objects, reader, trees },
    commit: (commit) => writeCommit({ objects, kept: commits, folder: normal }, commit),
    writeTree: written.write,
    rest: () => {
      for (const kept of [reader, trees, commits, written, shells]) kept.rest();
    },
    differences: recent(MOST_RECENT),
    merges: recent(MOST_RECENT),
    descents: recent(MOST_RECENT),
    isShared: /\n\tsharedrepository = /.test(await readFile(join(normal, 'config'), 'utf8')),
    isSparse: existsSync(join(normal, 'info/sparse-checkout')),
  };
}

/** The config of a git dir of ours. */
async function inertConfig(git: Git): Promise<string> {
  const { stdout } = await git(['config', '-z', '--list']);
  const found = new Map([
    ['core.repositoryformatversion', '1'],
    [FORMAT, 'sha1'],
    ['core.bare', 'false'],
  ]);
  for (const entry of splitNul(stdout)) {
    const [key = '', value = 'true'] = entry.toString('utf8').split('\n', 2);
    if ((INERT.has(key) || key === FORMAT) && PLAIN_VALUE.test(value)) found.set(key, value);
  }
  return [...found]
    .map(([key, value]) => key.replace(/^(.*)\.(.*)$/, `[$1]\n\t$2 = ${value}\n`))
    .join('');
}

const copyIfThere = (from: string, to: string): Promise<void> =>
  copyFile(from, to).catch(() => undefined);
