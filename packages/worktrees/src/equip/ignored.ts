import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { splitNul } from '../git/nul-list.ts';
import type { Site } from '../site.ts';
import { bytePath, bytesOf, textOf } from './byte-path.ts';
import { checkoutDir } from './checkout-dir.ts';
import type { Pattern } from './pattern.ts';

/** A file, link or folder that git ignores in the clone, with all that is in it. Its path is bytes. */
export interface Ignored {
  readonly path: string;
  readonly isFolder: boolean;
}

/**
 * Lists what git ignores in the clone, a folder that is ignored as a whole as one entry: what is in
 * `node_modules` is not read.
 */
export async function listIgnored({
  refs,
  topLevel,
  commonDir,
}: Pick<Site, 'refs' | 'topLevel' | 'commonDir'>): Promise<Ignored[]> {
  const env = { GIT_INDEX_FILE: join(await checkoutDir({ topLevel, commonDir }), 'index') };
  const { stdout } = await refs(
    ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'],
    { env },
  );
  const names = splitNul(stdout).map((name) => name.toString('latin1'));
  const found: Ignored[] = [];
  let inside = '\0';
  // Sorted by bytes, a folder comes right before what git lists inside it once more.
  for (const name of names.sort()) {
    if (name.startsWith(inside)) continue;
    const isFolder = name.endsWith('/');
    if (isFolder) inside = name;
    found.push({ path: isFolder ? name.slice(0, -1) : name, isFolder });
  }
  return found;
}

/** What a pattern selects of it, as whole as it can be. Folders are read only where it may select a part. */
export async function select(
  topLevel: string,
  entries: readonly Ignored[],
  pattern: Pattern,
): Promise<Ignored[]> {
  const selected: Ignored[] = [];
  const left = [...entries].reverse();
  for (let entry = left.pop(); entry; entry = left.pop()) {
    const name = textOf(entry.path);
    if (pattern.selects(name)) selected.push(entry);
    else if (entry.isFolder && pattern.mayReach(name))
      left.push(...(await entriesOf(topLevel, entry.path)).reverse());
  }
  return selected;
}

async function entriesOf(topLevel: string, folder: string): Promise<Ignored[]> {
  const listed = await readFolder(`${bytePath(topLevel)}/${folder}`);
  return listed.map((entry) => ({
    path: `${folder}/${entry.name}`,
    isFolder: entry.isDirectory(),
  }));
}

/** The entries of a folder by name, without git’s own; none of one that can not be read. */
export async function readFolder(path: string): Promise<Dirent[]> {
  const listed = await readdir(bytesOf(path), { withFileTypes: true, encoding: 'latin1' }).catch(
    () => [],
  );
  return listed
    .filter(({ name }) => name.toLowerCase() !== '.git')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
