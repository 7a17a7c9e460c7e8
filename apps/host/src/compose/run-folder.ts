import { join } from 'node:path';
import type { Project } from './project.ts';
import { recordedOf } from './recorded.ts';

/** The private folder of a run that is about to start. */
export const runFolderOf = ({ repository, stateHome }: Project, runId: string): string =>
  join(stateHome, repository.id, runId);

/** The private folder of a run: where it was told to be when it was started, unless told otherwise now. */
export async function runFolder(
  { repository, store, stateHome }: Project,
  runId: string,
  asked: string | undefined,
): Promise<string> {
  const { stateDir } = (await recordedOf(store, runId)).about;
  return join(asked ?? stateDir ?? stateHome, repository.id, runId);
}
