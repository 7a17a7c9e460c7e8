import type { Git } from '../git/git.ts';
import { splitNul } from '../git/nul-list.ts';
import { listSavedRefs, type SavedRef } from './saved-refs.ts';
import { type Clone, withContent } from './with-content.ts';

/** The work of one attempt on its ref. */
export interface SavedWork {
  readonly ref: string;
  /** The name of the run in refs. */
  readonly run: string;
  /** The id of the task; its safe name where the commit does not tell the id. Printable only after escaping. */
  readonly task: string;
  readonly attempt: number;
  /** It is not the attempt’s work, but what was found beside it when its worktree was removed. */
  readonly after: boolean;
  readonly commit: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
  /** The commit that the work started from. Absent when the history does not tell. */
  readonly base?: string;
  /** How many paths differ from the base; 0 without one. */
  readonly files: number;
  /** It is on the run’s branch. False when that branch is gone. */
  readonly merged: boolean;
}

/** Lists the work of all runs, or that on one ref, newest first. The number of git commands grows with the runs alone. */
export const listSalvage = (repository: Clone): Promise<SavedWork[]> =>
  withContent(repository, async ({ refs, content }) =>
    describe(await listSavedRefs(refs), { refs, objects: content.objects, head: repository.head }),
  );

interface History {
  readonly refs: Git;
  readonly objects: Git;
  readonly head: string;
}

export async function describe(
  found: readonly SavedRef[],
  { refs, objects, head }: History,
): Promise<SavedWork[]> {
  if (found.length === 0) return [];
  const branches = await branchesOf(refs);
  const merged = new Set<string>();
  for (const run of new Set(found.map((one) => one.run)))
    if (branches.has(run)) for (const ref of await mergedRefs(refs, run)) merged.add(ref);
  const commits = [...new Set(found.map(({ commit }) => commit))];
  // Where a branch is gone, what it was may be on the line of HEAD.
  const lines = [
    ...branches.values(),
    ...(found.every(({ run }) => branches.has(run)) ? [] : [head]),
  ];
  const parents = await workersCommits(objects, commits, lines);
  const known = await existing(
    objects,
    found.flatMap(({ told }) => told ?? []),
  );
  const based = found.map(({ told, ...one }) => ({
    one,
    base: told !== undefined && known.has(told) ? told : baseOf(one.commit, parents),
  }));
  const files = await countFiles(
    objects,
    based.flatMap(({ one, base }) => (base === undefined ? [] : [`${one.commit} ${base}`])),
  );
  return based
    .map(({ one, base }) => ({
      ...one,
      ...(base === undefined ? {} : { base }),
      files: base === undefined ? 0 : (files.get(`${one.commit} ${base}`) ?? 0),
      merged: merged.has(one.ref),
    }))
    .sort((a, b) => b.savedAt - a.savedAt || (a.ref < b.ref ? -1 : 1));
}

/** A message may name what is not there. */
async function existing(objects: Git, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const input = Buffer.from(`${[...new Set(commits)].join('\n')}\n`);
  const { text } = await objects(['cat-file', '--batch-check'], { input });
  return new Set(text.split('\n').flatMap((line) => /^(\S+) commit /.exec(line)?.[1] ?? []));
}

/** The commits of the integration branches, by run. */
async function branchesOf(refs: Git): Promise<Map<string, string>> {
  const format = '--format=%(objectname) %(refname:lstrip=3)';
  const { text } = await refs(['for-each-ref', format, 'refs/heads/atelier/']);
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [commit = '', run = ''] = line.split(' ');
      return [run, commit];
    }),
  );
}

async function mergedRefs(refs: Git, run: string): Promise<string[]> {
  const { text } = await refs([
    'for-each-ref',
    `--merged=refs/heads/atelier/${run}`,
    '--format=%(refname)',
    `refs/atelier/${run}/`,
  ]);
  return text.split('\n');
}

/** The parents of what is on no line of merges: the saved commits, and the workers’ own below them. */
async function workersCommits(
  objects: Git,
  commits: readonly string[],
  lines: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const input = Buffer.from([...commits, ...lines.map((one) => `^${one}`)].join('\n'));
  const args = ['rev-list', '--parents', '--exclude-first-parent-only', '--stdin'] as const;
  const { text } = await objects(args, { input });
  return new Map(
    text.split('\n').map((line) => {
      const [commit = '', ...parents] = line.split(' ');
      return [commit, parents];
    }),
  );
}

/** The first commit down the line of first parents that no worker made. */
function baseOf(
  commit: string,
  parents: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  let base: string | undefined = commit;
  for (let above = parents.get(base); above; above = parents.get(base)) {
    base = above[0];
    if (base === undefined) return undefined;
  }
  return base === commit ? undefined : base;
}

/** How many paths differ, for each line of a commit and its base. */
async function countFiles(
  objects: Git,
  pairs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const asked = [...new Set(pairs)];
  if (asked.length === 0) return counts;
  const args = ['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames', '--always'] as const;
  const { stdout } = await objects(args, { input: Buffer.from(`${asked.join('\n')}\n`) });
  let at = -1;
  const fields = splitNul(stdout);
  for (let field = 0; field < fields.length; field += 1) {
    // A change is two fields, and the first starts with a colon; the rest are the commits.
    const isChange = fields[field]?.[0] === COLON;
    if (!isChange) at += 1;
    else field += 1;
    const pair = asked[at];
    if (pair !== undefined) counts.set(pair, (counts.get(pair) ?? 0) + (isChange ? 1 : 0));
  }
  return counts;
}

const COLON = ':'.charCodeAt(0);
