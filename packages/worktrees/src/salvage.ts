import { type AttemptRecord, readAttempt, writeAttempt } from './attempt-record.ts';
import type { Worktree } from './carve.ts';
import { codeOf, WorktreeError } from './error.ts';
import { commitOf, moveRef } from './integration-branch.ts';
import { nameOf, splitNul } from './nul-list.ts';
import { safeName } from './safe-name.ts';
import { shown } from './shown.ts';
import type { Site } from './site.ts';
import { type Snapshot, snapshot } from './snapshot.ts';

/** A path that differs from the base. A name that is not UTF-8 has U+FFFD where it is not. */
export interface ChangedPath {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
}

/** The work of one attempt, on a ref of its own. */
export interface Salvage {
  readonly commit: string;
  /** The commit that the worktree was carved from; always an ancestor. */
  readonly base: string;
  readonly ref: string;
  readonly changed: readonly ChangedPath[];
  /** Repositories inside the worktree. Their files are saved, their history is not, and the worktree stays. */
  readonly nested: readonly string[];
  /** Files with names that git does not take. The worktree stays. */
  readonly refused: readonly string[];
}

/** The ref that an attempt’s work is kept on. */
export const attemptRef = (run: string, taskId: string | number, attempt: number): string =>
  `refs/atelier/${run}/${safeName(taskId)}/${attempt}`;

export async function salvage(
  site: Site,
  worktree: Worktree,
  message: string,
): Promise<Salvage | undefined> {
  const { taskId, attempt } = worktree;
  const record = await readAttempt(site.root, taskId, attempt);
  if (record?.path !== worktree.path) throw notCarved(worktree);
  const ref = attemptRef(site.run, taskId, attempt);
  const [previous, head] = await Promise.all([commitOf(site, ref), headOf(site, record)]);
  const known = { ref, previous, head, message };
  const content = await snapshot(site, record).catch(async (error: unknown) => {
    if (WITHOUT_FILES.has(codeOf(error))) await keepCommits(site, record, known);
    throw error;
  });
  const commit = await keep(site, record, known, content);
  const changed = commit === undefined ? [] : await changedPaths(site, record.base, commit);
  const { nested, refused } = content;
  const saved = { base: record.base, head, changed: changed.length, nested, refused };
  await writeAttempt(site.root, {
    ...record,
    saved: commit === undefined ? saved : { ...saved, commit },
  });
  if (commit === undefined) return undefined;
  return { commit, base: record.base, ref, changed, nested, refused };
}

/** Where the worker left HEAD, asked of the clone: the worktree’s own git dir could point elsewhere. */
export async function headOf(site: Site, { gitDir, base }: AttemptRecord): Promise<string> {
  const name = gitDir.slice(gitDir.lastIndexOf('/') + 1);
  return (await commitOf(site, `worktrees/${name}/HEAD`).catch(() => undefined)) ?? base;
}

interface Known {
  readonly ref: string;
  readonly previous: string | undefined;
  readonly head: string;
  readonly message: string;
}

async function keep(
  site: Site,
  { base }: AttemptRecord,
  { ref, previous, head, message }: Known,
  { tree }: Pick<Snapshot, 'tree'>,
): Promise<string | undefined> {
  const parents = await newest(site, [previous, head, base]);
  const [only] = parents;
  const same = parents.length === 1 && only !== undefined && (await treeOf(site, only)) === tree;
  const commit = same ? only : await commitTree(site, tree, parents, message);
  if (commit === base) return undefined;
  if (commit === previous) return commit;
  if (await moveRef(site, ref, { from: previous, to: commit, why: 'atelier: salvage' }))
    return commit;
  throw new WorktreeError(
    'SALVAGE_RACED',
    `${ref} was moved by somebody else`,
    'Is a second host on this run? The worktree was kept; salvage again.',
  );
}

const WITHOUT_FILES: ReadonlySet<unknown> = new Set(['WORKTREE_GONE', 'SALVAGE_TOO_LARGE']);

/** Of a worktree that is gone or not to be read, the worker’s own commits are all there is. */
async function keepCommits(site: Site, record: AttemptRecord, known: Known): Promise<void> {
  if (known.head !== record.base)
    await keep(site, record, known, { tree: await treeOf(site, known.head) });
}

/** The commits that no other of them contains. */
async function newest(site: Site, commits: readonly (string | undefined)[]): Promise<string[]> {
  const all = [...new Set(commits)].filter((commit) => commit !== undefined);
  if (all.length === 1) return all;
  const { text } = await site.content.objects(['merge-base', '--independent', ...all]);
  return text.split('\n');
}

const treeOf = async ({ content }: Site, commit: string): Promise<string> =>
  (await content.objects(['rev-parse', '--verify', `${commit}^{tree}`])).text;

async function commitTree(
  { content }: Site,
  tree: string,
  parents: readonly string[],
  message: string,
): Promise<string> {
  const args = parents.flatMap((parent) => ['-p', parent]);
  const input = Buffer.from(`${message.replaceAll('\0', ' ')}\n`);
  return (await content.objects(['commit-tree', ...args, '-F', '-', tree], { input })).text;
}

const STATUS: Readonly<Record<string, ChangedPath['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type-changed',
};

async function changedPaths(
  { content }: Site,
  base: string,
  commit: string,
): Promise<ChangedPath[]> {
  const { stdout } = await content.objects([
    'diff-tree',
    '-r',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--no-textconv',
    '--name-status',
    base,
    commit,
  ]);
  const changed: ChangedPath[] = [];
  const fields = splitNul(stdout);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [letter, name] = fields.slice(at, at + 2);
    const status = STATUS[letter?.toString('latin1') ?? ''];
    if (status && name) changed.push({ path: nameOf(name), status });
  }
  return changed;
}

export const notCarved = ({ path }: Worktree): WorktreeError =>
  new WorktreeError(
    'NOT_OURS',
    `${shown(path)} was not carved by this run`,
    'Only worktrees that carve or find of the same run gave are handled.',
  );
