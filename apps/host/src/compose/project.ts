import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore, type Store } from '@atelier/store-sqlite';
import { openRepository, type Repository } from '@atelier/worktrees';
import { CONFIG_FILE, type Config, readConfig } from '../read-config.ts';
import { stateFolder } from './state-folder.ts';

/** A clone with its journal, and where its runs keep what is not in git. */
export interface Project {
  readonly repository: Repository;
  readonly store: Store;
  readonly config: Config;
  /** Where runs keep what is not in git, unless one was told otherwise. */
  readonly stateHome: string;
}

interface ProjectOptions {
  /** A folder of the clone. */
  readonly dir: string;
  readonly stateHome: string;
}

/** Opens both, or throws the coded error of whichever refuses. The caller closes the store. */
export async function openProject({ dir, stateHome }: ProjectOptions): Promise<Project> {
  const config = await readConfig(topOf(dir));
  const repository = await openRepository({ dir, allowFilters: config.allowFilters });
  const store = openStore({ path: join(stateFolder(repository.stateDir), 'atelier.db') });
  return { repository, store, config, stateHome };
}

/** The nearest folder upwards that has a config; git is asked only once the config says what it may meet. */
function topOf(dir: string): string {
  if (existsSync(join(dir, CONFIG_FILE)) || existsSync(join(dir, '.git'))) return dir;
  const above = dirname(dir);
  return above === dir ? dir : topOf(above);
}
