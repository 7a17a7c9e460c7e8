import type { Project } from '../compose/project.ts';

/**
 * The name under which the store of a clone has its phases. The store lies in the clone and goes where it goes, and the
 * clone's own id is of its path: where nothing was kept under it, the clone was moved, and the name is that of before.
 */
export function projectName({
  store,
  repository: { id },
}: Pick<Project, 'store' | 'repository'>): string {
  const [latest = id, ...others] = store.team.phases.projects();
  return others.includes(id) ? id : latest;
}
