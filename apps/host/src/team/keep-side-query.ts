import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownText } from '@atelier/envelope';
import type { SideQueryDocument } from '@atelier/team-behaviors';
import type { Project } from '../compose/project.ts';
import { runFolder, runFolderOf } from '../compose/run-folder.ts';
import { stateFolder } from '../compose/state-folder.ts';

/** Writes a side query for people to read, below the private folder of its run, and gives the file. Rejects for what fails. */
export async function keepSideQuery(
  project: Project,
  { runId, stateHome }: { readonly runId: string; readonly stateHome: string | undefined },
  { title, createdBy, body }: SideQueryDocument,
): Promise<string> {
  const begun = project.store.runs().some(({ run_id }) => run_id === runId);
  const home = begun ? await runFolder(project, runId, stateHome) : runFolderOf(project, runId);
  const now = new Date().toISOString();
  const name = `${now.replace(/[:.]/gu, '-')}-${randomBytes(3).toString('hex')}.md`;
  const file = join(stateFolder(join(home, 'side-queries')), name);
  writeFileSync(file, `# ${markdownText(title)}\n\n${createdBy}, ${now}\n\n${body}`, {
    flag: 'wx',
    mode: 0o600,
  });
  return file;
}
