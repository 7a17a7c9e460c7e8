import { chmod, lstat, readdir } from 'node:fs/promises';
import { belowFolder } from '../git/nul-list.ts';

interface Reach {
  /** Folders and files that are left as they are, with all below them. */
  readonly except?: (path: Buffer) => boolean;
  /** Files are left as they are: their modes may be shared with files elsewhere. */
  readonly foldersOnly?: boolean;
}

/** Gives the owner back the right to list every folder and read every file. Follows no link. */
export async function openUp(
  folder: Buffer,
  { except = () => false, foldersOnly = false }: Reach = {},
): Promise<void> {
  await allow(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = belowFolder(folder, entry.name);
    if (except(path)) continue;
    if (entry.isDirectory()) await openUp(path, { except, foldersOnly });
    else if (entry.isFile() && !foldersOnly) await allow(path, 0o400);
  }
}

/** Adds to what the owner of a file or folder may do. What is a link is left as it is. */
export async function allow(path: Buffer, rights: number): Promise<void> {
  const found = await lstat(path);
  const { mode } = found;
  if (!found.isSymbolicLink() && (mode & rights) !== rights)
    await chmod(path, (mode & 0o7777) | rights);
}
