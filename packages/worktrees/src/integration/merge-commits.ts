import type { ContentGit } from '../content/content-git.ts';
import type { Git } from '../git/git.ts';
import { gitFailure } from '../git/git-failure.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';
import { isObjectName } from '../git/object-name.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { mergeEntries } from './merge-entries.ts';

/** What came of merging two commits. */
export type MergedTree =
  | { readonly kind: 'clean'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

type Merging = Pick<ContentGit, 'objects' | 'reader' | 'merges' | 'writeTree'>;

/**
 * Merges two commits three ways without a work tree. What it writes lasts even where the merge is only tried: a later
 * one that counts finds the same objects there, and git does not write them again. Two that were merged lately are not
 * merged again while that tree is still there: nothing holds it, and a person's gc may have taken it. `base` is their one
 * merge base, where that is known.
 */
export async function mergeCommits(
  content: Merging,
  ours: string,
  theirs: string,
  base?: string,
): Promise<MergedTree> {
  const { objects, reader, merges } = content;
  if (!isObjectName(ours) || !isObjectName(theirs)) return mergeTree(objects, ours, theirs);
  const ahead = await treeAhead(reader, ours, theirs);
  if (ahead !== undefined) return { kind: 'clean', tree: ahead };
  const merge = async (): Promise<MergedTree> => {
    // Most merges take what only one side has changed, and to start a git takes longer than that.
    const tree = base === undefined ? base : await mergeEntries(content, [base, ours, theirs]);
    return tree === undefined ? mergeTree(objects, ours, theirs) : { kind: 'clean', tree };
  };
  const key = `${ours} ${theirs}`;
  let isKnown = true;
  const merged = await merges.of(key, () => {
    isKnown = false;
    return merge();
  });
  if (!isKnown || merged.kind === 'conflict') return merged;
  const [tree] = await reader.info([merged.tree]);
  if (tree) return merged;
  merges.forget(key);
  return merges.of(key, merge);
}

/** The tree of a commit that has the other as a parent: what is merged then is that tree, and git need not be asked. */
async function treeAhead(
  reader: ObjectReader,
  ours: string,
  theirs: string,
): Promise<string | undefined> {
  const [found] = await reader.contents([theirs]);
  if (found?.type !== 'commit') return undefined;
  const [head = ''] = found.content.toString('latin1').split('\n\n', 1);
  const [tree, ...rest] = head.split('\n');
  return rest.includes(`parent ${ours}`) ? tree?.replace(/^tree /, '') : undefined;
}

async function mergeTree(git: Git, ours: string, theirs: string): Promise<MergedTree> {
  const { exitCode, stdout, stderr } = await git(
    ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs],
    { answers: [0, 1], lasting: 'each' },
  );
  const [tree = '', ...paths] = splitNul(stdout).map(nameOf);
  // Git ends alike where it does not find a commit.
  if (tree === '') throw gitFailure('merge-tree', exitCode, stderr);
  return exitCode === 0
    ? { kind: 'clean', tree }
    : { kind: 'conflict', paths: paths.filter((path) => path !== '') };
}

/** The commits that offers would bring to a tip, each with its parents. */
export type NewCommits = Map<string, readonly string[]>;

/** What is in one of the commits and not in the tip. */
export async function newCommits(
  git: Git,
  commits: readonly string[],
  tip: string,
): Promise<NewCommits> {
  if (commits.length === 0) return new Map();
  const input = Buffer.from(`${[...commits, `^${tip}`].join('\n')}\n`);
  const { text } = await git(['rev-list', '--parents', '--stdin'], { input });
  return new Map(
    text.split('\n').map((line) => {
      const [commit = '', ...parents] = line.split(' ');
      return [commit, parents];
    }),
  );
}

/**
 * The one merge base of the tip and a commit that is new to it: what a plain line of new commits begins on. `undefined`
 * for any other history: where merges are in it, there can be more than one.
 */
export function baseIn(commits: NewCommits, commit: string): string | undefined {
  let parents = commits.get(commit);
  let base: string | undefined;
  while (parents) {
    if (parents.length !== 1) return undefined;
    [base = ''] = parents;
    parents = commits.get(base);
  }
  return base;
}

/** Takes out what a merge of the commit has brought in. */
export function countIn(commits: NewCommits, commit: string): void {
  const left = [commit];
  for (let one = left.pop(); one !== undefined; one = left.pop()) {
    left.push(...(commits.get(one) ?? []));
    commits.delete(one);
  }
}

/** The merge on the first-parent line of `tip` that brought `commit` in; `tip` where it is no merge’s second parent. */
export async function mergeOf(git: Git, commit: string, tip: string): Promise<string> {
  const { text } = await git(['rev-list', '--first-parent', '--parents', `${commit}..${tip}`]);
  const line = text.split('\n').find((one) => one.split(' ')[2] === commit);
  return line?.split(' ')[0] ?? tip;
}
