import { chmod, lstat, readdir } from 'node:fs/promises';
import { belowFolder } from './nul-list.ts';

/** Gives the owner back the right to list every folder and read every file. Follows no link. */
export async function openUp(folder: Buffer): Promise<void> {
  await allow(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = belowFolder(folder, entry.name);
    if (entry.isDirectory()) await openUp(path);
    else if (entry.isFile()) await allow(path, 0o400);
  }
}

/** Adds to what the owner of a file or folder may do. What is a link is left as it is. */
export async function allow(path: Buffer, rights: number): Promise<void> {
  const found = await lstat(path);
  const { mode } = found;
  if (!found.isSymbolicLink() && (mode & rights) !== rights)
    await chmod(path, (mode & 0o7777) | rights);
}
