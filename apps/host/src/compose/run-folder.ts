import { join } from 'node:path';
import type { Project } from './project.ts';
import { recordedOf } from './recorded.ts';

type Place = Pick<Project, 'repository' | 'stateHome'>;

/** Where the private folders of runs are, unless one was told otherwise. */
export const runsFolder = ({ repository, stateHome }: Place): string =>
  join(stateHome, repository.id);

/** The private folder of a run that is about to start. */
export const runFolderOf = (project: Place, runId: string): string =>
  join(runsFolder(project), runId);

/** The private folder of a run: where it was told to be when it was started, unless told otherwise now. */
export async function runFolder(
  { repository, store, stateHome }: Project,
  runId: string,
  asked: string | undefined,
): Promise<string> {
  const { stateDir } = (await recordedOf(store, runId)).about;
  return join(asked ?? stateDir ?? stateHome, repository.id, runId);
}
