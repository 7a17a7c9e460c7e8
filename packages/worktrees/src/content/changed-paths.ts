import { nameOf, splitNul } from '../git/nul-list.ts';
import type { Site } from '../site.ts';

/** A path that differs from the base. A name that is not UTF-8 has U+FFFD where it is not. */
export interface ChangedPath {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'type-changed';
}

const STATUS: Readonly<Record<string, ChangedPath['status']>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  T: 'type-changed',
};

/** What `diff-tree` is told for every form of the difference of two commits: both sides of a rename count. */
export const DIFFERENCE = ['-r', '-z', '--no-renames', '--no-ext-diff', '--no-textconv'] as const;

/** Lists what differs between two commits, submodules included. */
export async function changedPaths(
  { content }: Pick<Site, 'content'>,
  base: string,
  commit: string,
): Promise<ChangedPath[]> {
  const { stdout } = await content.objects([
    'diff-tree',
    ...DIFFERENCE,
    '--ignore-submodules=none',
    '--name-status',
    base,
    commit,
  ]);
  const changed: ChangedPath[] = [];
  const fields = splitNul(stdout);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [letter, name] = fields.slice(at, at + 2);
    const status = STATUS[letter?.toString('latin1') ?? ''];
    if (status && name) changed.push({ path: nameOf(name), status });
  }
  return changed;
}
