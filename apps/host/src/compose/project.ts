import { openStore, type Store, storeFile } from '@atelier/store-sqlite';
import { openRepository, type Repository } from '@atelier/worktrees';
import { type Config, readConfig } from '../read-config.ts';
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
  /** The user's own config. */
  readonly configFile: string;
  /** Bytes above which a message on a team's wire is kept beside it. */
  readonly refThreshold?: number | undefined;
}

/** Opens both, or throws the coded error of whichever refuses. The caller closes the store. */
export async function openProject({
  dir,
  stateHome,
  configFile,
  refThreshold,
}: ProjectOptions): Promise<Project> {
  const config = await readConfig(configFile);
  const repository = await openRepository({ dir, allowFilters: config.allowFilters });
  const path = storeFile(stateFolder(repository.stateDir));
  const store = openStore({ path, refThresholdBytes: refThreshold });
  return { repository, store, config, stateHome };
}
