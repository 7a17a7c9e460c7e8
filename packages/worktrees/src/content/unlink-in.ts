import { constants } from 'node:fs';
import { lstat, open, readlink, realpath, unlink } from 'node:fs/promises';
import { belowFolder } from '../git/nul-list.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Unlinks one name in a folder, unless a link has come into the folder’s path: a worker that could not be ended
 * may turn it to a folder of the host. Where the system has no `/proc` a moment is left between look and deed.
 */
export async function unlinkIn(folder: Buffer, name: Buffer): Promise<void> {
  const handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    const held = Buffer.from(`/proc/self/fd/${handle.fd}`);
    const pinned = await lstat(held).then(
      () => true,
      () => false,
    );
    const real = pinned
      ? await readlink(held, { encoding: 'buffer' })
      : await realpath(folder, { encoding: 'buffer' });
    if (real.equals(folder)) await unlink(belowFolder(pinned ? held : folder, name));
  } finally {
    await handle.close();
  }
}
