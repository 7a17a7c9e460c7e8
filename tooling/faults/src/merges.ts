import { BRANCH, type Scene } from './scene.ts';

/** One commit that the run's branch brought in, and whose work it is. */
export interface Merged {
  readonly commit: string;
  readonly taskId: string;
}

/** What the run's branch brought in, from its first merge on; empty when there is no such branch. */
export function mergesOf({ git }: Pick<Scene, 'git'>): Merged[] {
  const format = '--format=%P%x00%s';
  let log: string;
  try {
    log = git('log', '--first-parent', '--reverse', format, `main..${BRANCH}`);
  } catch {
    return [];
  }
  return log
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [parents = '', subject = ''] = line.split('\0');
      const commit = parents.split(' ')[1] ?? parents;
      return { commit, taskId: subject.replace(/^Merge task /, '') };
    });
}

/** How often a task, or one and the same work, was brought in again. */
export function mergedAgain(
  merges: readonly Merged[],
  patchOf: (commit: string) => string,
): number {
  const again = (names: readonly string[]) => names.length - new Set(names).size;
  return Math.max(
    again(merges.map(({ taskId }) => taskId)),
    again(merges.map(({ commit }) => commit)),
    again(merges.map(({ commit }) => patchOf(commit)).filter((patch) => patch !== '')),
  );
}

/** What a commit changes, whoever made it and when. */
export const patchOf =
  ({ git }: Pick<Scene, 'git'>) =>
  (commit: string): string =>
    git('diff-tree', '-r', '--no-commit-id', '--root', commit);
