import { openContentGit } from '../content/content-git.ts';
import { gitAt } from '../git/git.ts';
import { plainReader } from '../git/object-reader.ts';
import { oneAtATime } from '../git/one-at-a-time.ts';
import type { Repository } from '../repository.ts';
import { runBranch, safeRunName } from '../safe-name.ts';
import type { Site } from '../site.ts';
import type { RunFolder } from './run-folders.ts';

/** What is needed of a clone to look after its worktrees. */
export type Clone = Pick<Repository, 'topLevel' | 'commonDir'>;

/**
 * What the steps of a run need, without the run being started: its branch may have been merged and deleted long
 * ago, and its worktrees are still there to be saved.
 */
export async function siteOf(
  { topLevel, commonDir }: Clone,
  { root, runId }: Pick<RunFolder, 'root' | 'runId'>,
  warn: (message: string) => void = () => undefined,
): Promise<Site> {
  const place = { gitDir: commonDir, workTree: topLevel, cwd: topLevel };
  const run = safeRunName(runId);
  return {
    ...{ topLevel, commonDir, root, run, runId, warn },
    refs: gitAt(place),
    names: plainReader(place),
    branch: runBranch(runId),
    content: await openContentGit({ topLevel, commonDir, root }),
    serially: oneAtATime(),
  };
}
