import { askGit } from './ask-git.ts';

/**
 * Whether the files of the clone that `dir` is in know no case, as git found when it made the clone (`core.ignorecase`).
 * False where nobody can tell.
 */
export async function ignoresCase(dir: string): Promise<boolean> {
  const said = await askGit(dir, ['config', '--type=bool', '--get', 'core.ignorecase']);
  return said?.trim() === 'true';
}
