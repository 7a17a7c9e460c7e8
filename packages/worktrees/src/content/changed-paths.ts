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

/** The command for every form of the difference of two commits: submodules and both sides of a rename count. */
export const DIFFERENCE = [
  'diff-tree',
  '-r',
  '-z',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--ignore-submodules=none',
] as const;

/** Lists what differs between two commits, submodules included. */
export async function changedPaths(
  { content }: Pick<Site, 'content'>,
  base: string,
  commit: string,
): Promise<ChangedPath[]> {
  const { stdout } = await content.objects([...DIFFERENCE, '--raw', base, commit]);
  return changesIn(splitNul(stdout)).map(({ path, status }) => ({ path, status }));
}

/** A change; of a submodule where it is one on each side that there is. */
interface RawChange extends ChangedPath {
  readonly isSubmodule: boolean;
}

/** Reads the pairs of `:mode mode object object letter` and a path that a list starts with. */
export function changesIn(fields: readonly Buffer[]): RawChange[] {
  const changes: RawChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, before = '', after = '', letter = ''] =
      /^:(\d{6}) (\d{6}) [0-9a-f]+ [0-9a-f]+ ([A-Z])\d*$/.exec(latin1(fields[at])) ?? [];
    const status = STATUS[letter];
    const name = fields[at + 1];
    if (!status || !name) break;
    const isSubmodule = [before, after].every((mode) => mode === LINK || mode === NONE);
    changes.push({ path: nameOf(name), status, isSubmodule });
  }
  return changes;
}

const LINK = '160000';
const NONE = '000000';

const latin1 = (bytes: Buffer | undefined): string => bytes?.toString('latin1') ?? '';
