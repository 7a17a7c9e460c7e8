import { codeOf } from '../error.ts';
import { gitAt } from '../git/git.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';
import { locate } from '../locate.ts';

/** What is no clone with a commit, and so has no files to list. */
const NOTHING_THERE: ReadonlySet<unknown> = new Set(['NOT_A_REPOSITORY', 'BARE_REPOSITORY']);

/**
 * The files of the commit that HEAD is at, of the whole clone that `dir` is in: links and submodules among them, each
 * as one path from the root. Undefined outside a clone and in one without commits. Throws a `WorktreeError` where git
 * fails.
 */
export async function filesAtHead(dir: string): Promise<ReadonlySet<string> | undefined> {
  const place = await locate(dir).catch((error: unknown) => {
    if (NOTHING_THERE.has(codeOf(error))) return undefined;
    throw error;
  });
  if (!place) return undefined;
  const { topLevel, gitDir } = place;
  const git = gitAt({ gitDir, workTree: topLevel, cwd: topLevel });
  const answers = [0, 1, 128];
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], { answers });
  if (head.exitCode !== 0) return undefined;
  const { stdout } = await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', head.text]);
  return new Set(splitNul(stdout).map(nameOf));
}
