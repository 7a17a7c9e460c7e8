import { WorktreeError } from '../error.ts';
import { shown } from '../shown.ts';
import type { Git } from './git.ts';

/** The first version whose `merge-tree` merges without a work tree. */
const OLDEST = [2, 38] as const;

/** Throws `GIT_TOO_OLD` for a git that can not merge without a work tree. */
export async function assertGitVersion(git: Git): Promise<void> {
  const { text } = await git(['version']);
  const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(text)?.slice(1) ?? []).map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new WorktreeError(
    'GIT_TOO_OLD',
    `${shown(text)} is too old`,
    `Install git ${OLDEST.join('.')} or later.`,
  );
}
