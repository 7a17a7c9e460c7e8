import type { Git } from './git.ts';

/** A commit, and the tree that it holds. */
export interface Commit {
  readonly commit: string;
  readonly tree: string;
}

const NEWLINE = '\n'.charCodeAt(0);

/**
 * The commits that names stand for, all asked in one look, each name resolved once; `undefined` for one that stands
 * for none. Names have no line break.
 */
export async function readCommits(
  git: Git,
  names: readonly string[],
): Promise<readonly (Commit | undefined)[]> {
  const input = Buffer.from(names.map((name) => `${name}^{commit}\n`).join(''));
  const { stdout } = await git(['cat-file', '--batch'], { input });
  const found: (Commit | undefined)[] = [];
  let at = 0;
  while (found.length < names.length) {
    const end = stdout.indexOf(NEWLINE, at);
    const header = stdout.toString('latin1', at, end < 0 ? stdout.length : end);
    const [, commit, size] = /^([0-9a-f]+) commit (\d+)$/.exec(header) ?? [];
    at = end < 0 ? stdout.length : end + 1;
    if (commit === undefined) {
      found.push(undefined);
      continue;
    }
    const content = stdout.toString('latin1', at, at + Number(size));
    const tree = /^tree ([0-9a-f]+)\n/.exec(content)?.[1];
    found.push(tree === undefined ? undefined : { commit, tree });
    at += Number(size) + 1;
  }
  return found;
}
