import { existsSync } from 'node:fs';
import { openStore, type Store, storeFile } from '@atelier/store-sqlite';
import type { Roster } from '@atelier/team-behaviors';
import { openRepository } from '@atelier/worktrees';
import { asCodedError } from '../host-error.ts';
import { openRoster } from './roster.ts';

/**
 * Who can be given a task in the clone that a folder is in, for whoever only looks: no record of the clone's runs is made,
 * and outside of a clone there is nobody but the personas of product and user.
 */
export async function rosterAt(dir: string, configFile: string): Promise<Roster> {
  const repository = await openRepository({ dir }).catch(() => undefined);
  const path = repository && storeFile(repository.stateDir);
  if (path === undefined || !existsSync(path)) return openRoster(configFile);
  const store = opened(path);
  try {
    return await openRoster(configFile, store?.team);
  } finally {
    store?.close();
  }
}

/** A record that can not be opened is for whoever needs it to tell. */
function opened(path: string): Store | undefined {
  try {
    return openStore({ path });
  } catch (error) {
    if (asCodedError(error)) return undefined;
    throw error;
  }
}
