import { commitOf } from '../integration/integration-branch.ts';
import type { Site } from '../site.ts';
import type { AttemptRecord } from './attempt-record.ts';

/** Where the worker left HEAD, asked of the clone: the worktree’s own git dir could point elsewhere. */
export async function headOf(
  site: Pick<Site, 'refs'>,
  { gitDir, base }: Pick<AttemptRecord, 'gitDir' | 'base'>,
): Promise<string> {
  const name = gitDir.slice(gitDir.lastIndexOf('/') + 1);
  return (await commitOf(site, `worktrees/${name}/HEAD`).catch(() => undefined)) ?? base;
}
