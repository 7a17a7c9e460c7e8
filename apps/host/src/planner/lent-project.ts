import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { filesAtHead, openRepository, type Repository, type Scratch } from '@atelier/worktrees';
import { borrowedClone } from './borrowed-clone.ts';
import { LENT } from './give-up.ts';

/** The project at HEAD, for agents to look at. */
export interface LentProject {
  readonly checkout: Scratch;
  /** As git lists them. */
  readonly files: ReadonlySet<string>;
  /** What has to be readable for git to work in the checkout. */
  readonly read: readonly string[];
  /** Removes all of it. */
  takeBack(): void;
}

interface Lending {
  readonly repository: Repository;
  /** The private folder of the first run that looks at it. */
  readonly runDir: string;
  readonly allowFilters: readonly string[];
  readonly warn: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Checks HEAD out into the private folder, through a repository that only borrows from the clone. */
export async function lentProject(given: Lending): Promise<LentProject> {
  const { repository, runDir, allowFilters, warn, signal } = given;
  const folder = join(runDir, LENT);
  const takeBack = () => rmSync(folder, { recursive: true, force: true });
  try {
    const { path, objects } = borrowedClone(repository, join(folder, 'clone'));
    const own = await openRepository({ dir: path, allowFilters });
    const work = await own.startRun({ runId: LENT, root: join(folder, 'work'), warn });
    const checkout = await work.checkout(work.base, signal);
    const files = (await filesAtHead(path)) ?? new Set();
    return { checkout, files, read: [objects], takeBack };
  } catch (error) {
    takeBack();
    throw error;
  }
}
