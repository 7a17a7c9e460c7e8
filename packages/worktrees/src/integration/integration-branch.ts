import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, WorktreeError } from '../error.ts';
import { pastLocks } from '../git/git-failure.ts';
import { splitNul } from '../git/nul-list.ts';
import { readPlainHead, readPlainRef } from '../git/plain-ref.ts';
import { shown } from '../shown.ts';
import type { Site } from '../site.ts';

type Branch = Pick<Site, 'refs' | 'branch' | 'commonDir'>;

/** The commit that the ref is at. */
export async function commitOf(
  { refs }: Pick<Site, 'refs'>,
  ref: string,
): Promise<string | undefined> {
  const { exitCode, text } = await refs(['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], {
    answers: [0, 1],
  });
  return exitCode === 0 ? text : undefined;
}

/** The commit that the integration branch is at. Throws `RUN_BRANCH_MISSING`. */
export async function tipOf(site: Branch): Promise<string> {
  const plain = await readPlainRef(join(site.commonDir, site.branch));
  if (plain?.kind === 'commit') return plain.commit;
  const tip = await commitOf(site, site.branch);
  if (tip !== undefined) return tip;
  throw new WorktreeError(
    'RUN_BRANCH_MISSING',
    `${site.branch} is gone`,
    'git reflog may still know it: restore the branch to go on, or start a new run.',
  );
}

/** No object has this name: the old value of a ref that must not exist. */
const absentLike = (commit: string): string => '0'.repeat(commit.length);

interface Movers extends Pick<Site, 'refs'> {
  /** A git that is kept for such steps. */
  readonly saving?: Site['saving'];
}

/**
 * Moves a ref from one commit to another in one step, for good. False, with nothing moved, when it was not at `from`;
 * `undefined` there means that the ref must be new.
 */
export async function moveRef(
  { refs, saving }: Movers,
  ref: string,
  {
    from,
    to,
    why,
  }: { readonly from: string | undefined; readonly to: string; readonly why: string },
): Promise<boolean> {
  const old = from ?? absentLike(to);
  if (await saving?.ask({ ref, to, from: old }).catch(() => false)) return true;
  try {
    const step = ['update-ref', '--no-deref', '-m', why, ref, to, old] as const;
    await pastLocks(() => refs(step, { lasting: 'each' }));
    return true;
  } catch (error) {
    if (codeOf(error) !== 'GIT_FAILED') throw error;
    const found = await commitOf({ refs }, ref);
    // The git that was kept may have ended between the step and its answer.
    if (saving && found === to) return true;
    if (found !== from) return false;
    throw error;
  }
}

/** Throws `RUN_BRANCH_CHECKED_OUT`: moving a branch under a checkout makes its files look edited. */
export async function assertNotCheckedOut({ refs, branch, commonDir }: Branch): Promise<void> {
  if (await isNoHead(commonDir, branch)) return;
  const { stdout } = await refs(['worktree', 'list', '--porcelain', '-z']);
  let path = '';
  for (const line of splitNul(stdout).map(String)) {
    if (line.startsWith('worktree ')) path = line.slice('worktree '.length);
    if (line !== `branch ${branch}`) continue;
    throw new WorktreeError(
      'RUN_BRANCH_CHECKED_OUT',
      `${branch} is checked out in ${shown(path)}`,
      'Switch that checkout to another branch; the run goes on from there.',
    );
  }
}

/** True where the HEAD of every checkout says plainly that it is elsewhere. */
async function isNoHead(commonDir: string, branch: string): Promise<boolean> {
  const folder = join(commonDir, 'worktrees');
  const linked = await readdir(folder).catch((error: unknown) =>
    codeOf(error) === 'ENOENT' ? [] : undefined,
  );
  if (!linked) return false;
  for (const gitDir of [commonDir, ...linked.map((name) => join(folder, name))]) {
    const head = await readPlainHead({ gitDir, commonDir });
    if (!head || (head.kind === 'branch' && head.ref === branch)) return false;
  }
  return true;
}
