import { join } from 'node:path';
import type { Site } from '../site.ts';
import { textOf } from './byte-path.ts';
import type { Equipment } from './equip.ts';
import { listIgnored, select } from './ignored.ts';
import { patternOf } from './pattern.ts';

/**
 * The files and folders of the clone that the next worktree would be equipped with, as absolute paths. Throws
 * `INVALID_EQUIPMENT`.
 */
export async function selected(
  site: Pick<Site, 'refs' | 'topLevel' | 'commonDir'>,
  { copy = [], link = [] }: Equipment = {},
): Promise<readonly string[]> {
  const patterns = [...copy, ...link].map(patternOf);
  if (patterns.length === 0) return [];
  const ignored = await listIgnored(site);
  const found: string[] = [];
  for (const pattern of patterns)
    for (const { path } of await select(site.topLevel, ignored, pattern))
      found.push(join(site.topLevel, textOf(path)));
  return found;
}
