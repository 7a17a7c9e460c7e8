import type { Git } from '../git/git.ts';
import { splitNul } from '../git/nul-list.ts';

const PATHS_PER_CALL = 100;

/** The modes of symbolic links and of submodules. */
const ELSEWHERE = /^1[26]0000 /;

/** Whether a commit has a symbolic link or a submodule anywhere in these folders: their content is not all that is read there. */
export async function hasLinks(
  objects: Git,
  commit: string,
  folders: readonly string[],
): Promise<boolean> {
  for (let at = 0; at < folders.length; at += PATHS_PER_CALL) {
    const some = folders.slice(at, at + PATHS_PER_CALL);
    const { stdout } = await objects(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...some]);
    if (splitNul(stdout).some((line) => ELSEWHERE.test(line.toString('latin1')))) return true;
  }
  return false;
}
