import { basename, join } from 'node:path';
import { WorktreeError } from '../error.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readPlainRef } from '../git/plain-ref.ts';
import { type Commit, readCommits } from '../git/read-commits.ts';
import { commitOf } from '../integration/integration-branch.ts';
import type { Site } from '../site.ts';
import type { AttemptRecord } from './attempt-record.ts';

type Carved = Pick<AttemptRecord, 'gitDir' | 'base'>;

/** The clone’s name of it: the worktree’s own git dir could point elsewhere. */
const nameOfHead = ({ gitDir }: Carved): string => `worktrees/${basename(gitDir)}/HEAD`;

/** True while the worktree’s HEAD is where a look saw it. */
export async function isHeadAt(
  { refs, commonDir }: Pick<Site, 'refs' | 'commonDir'>,
  carved: Carved,
  head: string,
): Promise<boolean> {
  const name = nameOfHead(carved);
  const plain = await readPlainRef(join(commonDir, name));
  if (plain?.kind === 'commit' && plain.commit === head) return true;
  return ((await commitOf({ refs }, name).catch(() => undefined)) ?? carved.base) === head;
}

/** The commits that what a worktree holds is set against. */
export interface Origins {
  /** Where the ref of what is kept is. */
  readonly previous: Commit | undefined;
  /** Where the worker left HEAD. */
  readonly head: Commit;
  /** What is safe already: it needs no ref of its own, and all that is kept descends from it. */
  readonly floor: Commit;
}

/** Where these are now. A HEAD that can not be read, or holds no commit, is taken for where it was at first. */
export async function originsOf(
  names: ObjectReader,
  carved: Carved,
  { ref, floor }: { readonly ref: string; readonly floor: string },
): Promise<Origins> {
  const { base } = carved;
  const all = [ref, floor, base];
  const name = nameOfHead(carved);
  const [previous, below, first, head] = await readCommits(names, [...all, name]).catch(
    async () => {
      const [one] = await readCommits(names, [name]).catch(() => []);
      return [...(await readCommits(names, all)), one];
    },
  );
  if (below && first) return { previous, head: head ?? first, floor: below };
  throw new WorktreeError(
    'GIT_FAILED',
    `the commit ${below ? base : floor} is no longer there`,
    'The worktree was kept; bring that commit back, from a backup or another clone.',
  );
}
