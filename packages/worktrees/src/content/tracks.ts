import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { gitAt } from '../git/git.ts';
import { nameOf, splitNul } from '../git/nul-list.ts';
import type { Location } from '../locate.ts';

/**
 * Whether git tracks a file of a checkout, or a link or submodule on the way to it, by whatever spelling the file system
 * takes for it. The index decides: what was taken out of it is not tracked any more, though HEAD has it.
 */
export async function tracks(
  { gitDir, topLevel }: Pick<Location, 'gitDir' | 'topLevel'>,
  path: string,
): Promise<boolean> {
  const { stdout } = await gitAt({ gitDir, workTree: topLevel, cwd: topLevel })([
    ...(['ls-files', '-z', '--cached'] as const),
  ]);
  const folded = `${path.toLowerCase()}/`;
  for (const entry of splitNul(stdout).map(nameOf)) {
    if (!folded.startsWith(`${entry.toLowerCase()}/`)) continue;
    if (await isSame(join(topLevel, entry), join(topLevel, path.slice(0, entry.length))))
      return true;
  }
  return false;
}

async function isSame(one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const found = [one, other].map((path) => lstat(path).catch(() => undefined));
  const [first, second] = await Promise.all(found);
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}
