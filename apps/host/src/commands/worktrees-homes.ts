import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type LeftWorktree, listWorktrees } from '@atelier/worktrees';
import type { Project } from '../compose/project.ts';
import { recordedOf } from '../compose/recorded.ts';

/** A folder with the folders of runs of a clone, and what is left in them, oldest use first. */
export interface Home {
  readonly path: string;
  readonly worktrees: readonly LeftWorktree[];
}

/** Looks where runs keep what is not in git, and wherever else a run was told to keep it. */
export async function homesOf({ repository, store, stateHome }: Project): Promise<Home[]> {
  const asked = new Set([stateHome]);
  for (const { run_id } of store.runs()) {
    const { stateDir } = (await recordedOf(store, run_id)).about;
    if (stateDir !== undefined) asked.add(stateDir);
  }
  const found = await Promise.all(
    [...asked].map((home) => realpath(join(home, repository.id)).catch(() => undefined)),
  );
  // Two names of one folder would list everything twice.
  const paths = [...new Set(found)].filter((path) => path !== undefined);
  const homes: Home[] = [];
  for (const path of paths)
    homes.push({ path, worktrees: await listWorktrees({ repository, home: path }) });
  return homes;
}

/** What is in all of them, oldest use first. */
export const allWorktrees = (homes: readonly Home[]): LeftWorktree[] =>
  homes.flatMap(({ worktrees }) => worktrees).sort((a, b) => a.lastUsed - b.lastUsed);
