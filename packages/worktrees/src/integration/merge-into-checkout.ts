import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContentGit } from '../content/content-git.ts';
import { assertNoFilters } from '../content/filters.ts';
import { codeOf } from '../error.ts';
import type { Git } from '../git/git.ts';
import { gitFailure, pastLocks } from '../git/git-failure.ts';
import { shown, shownNames } from '../shown.ts';
import { commitOf } from './integration-branch.ts';
import { mergeCommits } from './merge-commits.ts';

/** What a person asked to have merged into the branch that is checked out. */
export interface CheckoutMerge {
  readonly commit: string;
  /** The branch that must be checked out, without `refs/heads/`. */
  readonly branch: string;
  /** The commit that it must be at; any when absent. */
  readonly expected?: string;
  /** `ff`: the branch moves to the commit. `no-ff`: a merge of its own is made. */
  readonly mode: 'ff' | 'no-ff';
  readonly message: string;
}

/** A refusal has changed nothing: no file, no index, no ref. */
export type CheckoutMerged =
  | { readonly kind: 'merged'; readonly commit: string }
  | { readonly kind: 'refused'; readonly why: string };

interface Checkout {
  /** Git on the git dir and the files of the checkout. */
  readonly checkout: Git;
  readonly refs: Git;
  readonly topLevel: string;
  readonly commonDir: string;
}

/** To write the files of a large merge. */
const MERGE_MS = 600_000;

/**
 * The merge is made beforehand, without the checkout; what is left is a fast-forward, for which git looks at every
 * file that is in the way before it writes the first one.
 */
export async function mergeIntoCheckout(
  place: Checkout,
  request: CheckoutMerge,
): Promise<CheckoutMerged> {
  const { checkout, refs, commonDir } = place;
  const { branch, expected } = request;
  const symbolic = await checkout(['symbolic-ref', '--quiet', 'HEAD'], { answers: [0, 1] });
  if (symbolic.exitCode !== 0) return refused('HEAD is detached');
  if (symbolic.text !== `refs/heads/${branch}`)
    return refused(`${shown(symbolic.text)} is checked out, not ${shown(branch)}`);
  const head = await commitOf({ refs: checkout }, 'HEAD');
  if (head === undefined || (expected !== undefined && head !== expected))
    return refused(`${shown(branch)} has moved to ${head ?? 'no commit'}`);
  const commit = await commitOf({ refs: checkout }, request.commit);
  if (commit === undefined) return refused(`there is no commit ${shown(request.commit)}`);
  try {
    // Its files would be written through a program that the repository names.
    for (const one of [head, commit]) await assertNoFilters(refs, commonDir, one, []);
  } catch (error) {
    if (codeOf(error) !== 'FILTER_IN_USE') throw error;
    return refused('files of this repository are stored through a filter; merge by hand');
  }
  const target = await targetOf(place, { ...request, commit }, head);
  return target.kind === 'refused' || target.commit === head
    ? target
    : pastLocks(() => fastForward(checkout, branch, target.commit)).catch((error: unknown) => {
        if (codeOf(error) === 'GIT_LOCKED' && error instanceof Error) return refused(error.message);
        throw error;
      });
}

const refused = (why: string): CheckoutMerged => ({ kind: 'refused', why });

/** The commit that the branch is to be at, made if need be. */
async function targetOf(
  { topLevel, commonDir }: Checkout,
  { commit, branch, mode, message }: CheckoutMerge,
  head: string,
): Promise<CheckoutMerged> {
  const root = await mkdtemp(join(tmpdir(), 'atelier-merge-'));
  try {
    const content = await openContentGit({ topLevel, commonDir, root });
    const { objects } = content;
    const contains = async (one: string, other: string) =>
      (await objects(['merge-base', '--is-ancestor', other, one], { answers: [0, 1] })).exitCode ===
      0;
    if (await contains(head, commit)) return { kind: 'merged', commit: head };
    if (mode === 'ff')
      return (await contains(commit, head))
        ? { kind: 'merged', commit }
        : refused(
            `${shown(branch)} has commits that the work does not have, so it can not be moved forward`,
          );
    const merged = await mergeCommits(content, head, commit);
    if (merged.kind === 'conflict') return refused(`conflicts in ${shownNames(merged.paths)}`);
    const { text } = await objects(
      ['commit-tree', '-p', head, '-p', commit, '-F', '-', merged.tree],
      { input: Buffer.from(`${message.replaceAll('\0', ' ')}\n`) },
    );
    return { kind: 'merged', commit: text };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Ignored files in the way are a person’s too, and nothing of theirs is put away and brought back. */
const CAREFUL = [
  '--ff-only',
  '--no-squash',
  '--no-overwrite-ignore',
  '--no-autostash',
  '--no-verify-signatures',
  '--no-stat',
  '--quiet',
] as const;

async function fastForward(checkout: Git, branch: string, commit: string): Promise<CheckoutMerged> {
  const { exitCode, stderr } = await checkout(['merge', ...CAREFUL, commit], {
    answers: [0, 1, 2, 128],
    timeoutMs: MERGE_MS,
    // A branch can have options of its own, such as another strategy.
    env: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `branch.${branch}.mergeOptions`,
      GIT_CONFIG_VALUE_0: '',
    },
  });
  if (exitCode === 0) return { kind: 'merged', commit };
  const failure = gitFailure('merge', exitCode, stderr);
  if (failure.code === 'GIT_LOCKED') throw failure;
  const names = stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('\t') ? [line.slice(1)] : []));
  return refused(`${failure.message}${names.length > 0 ? ` ${shownNames(names)}` : ''}`);
}
