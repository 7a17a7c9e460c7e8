import { codeOf, WorktreeError } from '../error.ts';
import { isObjectName } from '../git/object-name.ts';
import { shownNames } from '../shown.ts';
import type { Site } from '../site.ts';
import { tipOf } from './integration-branch.ts';
import type { Offer } from './propose.ts';

/** Asks git once for all of them; where one is no commit of this clone, three times. */
export async function assertMerged(site: Site, merged: readonly Offer[]): Promise<void> {
  if (merged.length === 0) return;
  const tip = await tipOf(site);
  const named = merged.map(({ commit }) => commit).filter(isObjectName);
  const absent = await outside(site, named, tip).catch(async (error: unknown) => {
    if (codeOf(error) !== 'GIT_FAILED') throw error;
    const there = await present(site, [tip, ...named]);
    return there.has(tip)
      ? new Set([
          ...named.filter((commit) => !there.has(commit)),
          ...(await outside(site, [...there], tip)),
        ])
      : new Set(named);
  });
  const missing = merged.filter(({ commit }) => !isObjectName(commit) || absent.has(commit));
  if (missing.length === 0) return;
  const tasks = missing.map(({ taskId }) => String(taskId));
  throw new WorktreeError(
    'MERGED_WORK_MISSING',
    `${site.branch} does not have the merged work of ${missing.length === 1 ? 'task' : 'tasks'} ${shownNames(tasks)}`,
    `Somebody has moved it, or the disk has lost it. Move it to a commit that has that work, see git reflog ${site.branch}, and go on; or start a new run. What attempts saved is on refs below refs/atelier/${site.run}.`,
  );
}

/** Those that are not in the history of the tip. Throws `GIT_FAILED` where one of all is not there. */
async function outside(
  { content: { objects } }: Site,
  commits: readonly string[],
  tip: string,
): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const input = Buffer.from(`${[...commits, `^${tip}`].join('\n')}\n`);
  const { text } = await objects(['rev-list', '--stdin'], { input });
  return new Set(text.split('\n'));
}

async function present(
  { content: { objects } }: Site,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const input = Buffer.from(`${names.join('\n')}\n`);
  const { text } = await objects(['cat-file', '--batch-check'], { input });
  return new Set(
    text.split('\n').flatMap((line) => /^([0-9a-f]+) commit \d+$/.exec(line)?.[1] ?? []),
  );
}
