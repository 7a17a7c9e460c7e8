import { resolve } from 'node:path';
import { openRepository, type Repository } from '@atelier/worktrees';
import type { Environment } from '../environment.ts';
import { readConfig } from '../read-config.ts';

/** Opens the clone without its journal: one that can not be read must not be in the way of saved work. */
export async function openClone(
  repo: string | undefined,
  { cwd, configFile }: Environment,
): Promise<Repository> {
  const { allowFilters } = await readConfig(configFile);
  return openRepository({ dir: resolve(cwd, repo ?? '.'), allowFilters });
}
