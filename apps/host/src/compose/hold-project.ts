import { join } from 'node:path';
import { holdLock } from '@atelier/store-sqlite';
import type { Repository } from '@atelier/worktrees';
import { stateFolder } from './state-folder.ts';

/** One host at a time for a clone. Throws `STORE_LOCKED` naming the other; the system lets go when a host dies. */
export const holdProject = (
  { stateDir }: Pick<Repository, 'stateDir'>,
  what: string,
): ReturnType<typeof holdLock> =>
  holdLock({
    path: join(stateFolder(stateDir), 'lock.db'),
    holder: `${what}, process ${process.pid}`,
  });
