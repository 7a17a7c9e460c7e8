import { readdirSync, statSync } from 'node:fs';
import type { SocketAccess } from './access.ts';
import { overlap } from './containment.ts';
import { refused } from './error.ts';
import { assertPlain, givenPath } from './given-path.ts';
import { quoted } from './quoted.ts';

/** A socket, or a folder of them, with its real path outside. */
export interface OpenedSocket extends SocketAccess {
  /** A folder: what listens in it later is reached too. */
  readonly isFolder?: true;
}

/**
 * The sockets with their real paths outside. Throws `SANDBOX_ACCESS` for one that is neither a socket nor a folder of
 * nothing else, or that would appear in a folder of the host, where the mount point would stay behind as an empty file.
 */
export function socketAccess(
  sockets: readonly SocketAccess[],
  open: readonly string[],
): readonly OpenedSocket[] {
  return sockets.map(({ outside, inside }) => {
    const { real } = givenPath('socket', outside);
    const isFolder = statSync(real).isDirectory();
    if (isFolder) assertOnlySockets(real, outside);
    else if (!statSync(real).isSocket())
      throw refused(`${quoted(outside)} is not a socket`, 'Listen on it before the worker starts.');
    assertPlain('socket inside', inside);
    const taken = open.find((folder) => overlap(folder, inside));
    if (taken !== undefined && inside !== outside)
      throw refused(
        `the socket inside ${quoted(inside)} would lie in ${quoted(taken)}`,
        'Let it appear below /run.',
      );
    return { outside: real, inside, ...(isFolder && { isFolder }) };
  });
}

/** Whatever else lies in the folder could be read. It may be empty: whoever listens may come later. */
function assertOnlySockets(folder: string, given: string): void {
  const other = readdirSync(folder, { withFileTypes: true }).find((entry) => !entry.isSocket());
  if (other !== undefined)
    throw refused(
      `the socket folder ${quoted(given)} has ${quoted(other.name)} in it, which is no socket`,
      'Give the sockets a folder of their own.',
    );
}
