import { statSync } from 'node:fs';
import type { SocketAccess } from './access.ts';
import { overlap } from './containment.ts';
import { refused } from './error.ts';
import { assertPlain, givenPath } from './given-path.ts';
import { quoted } from './quoted.ts';

/**
 * The sockets with their real paths outside. Throws `SANDBOX_ACCESS` for one that is no socket, or that would appear in
 * a folder of the host, where the mount point would stay behind as an empty file.
 */
export function socketAccess(
  sockets: readonly SocketAccess[],
  open: readonly string[],
): readonly SocketAccess[] {
  return sockets.map(({ outside, inside }) => {
    const { real } = givenPath('socket', outside);
    if (!statSync(real).isSocket())
      throw refused(`${quoted(outside)} is not a socket`, 'Listen on it before the worker starts.');
    assertPlain('socket inside', inside);
    const taken = open.find((folder) => overlap(folder, inside));
    if (taken !== undefined && inside !== outside)
      throw refused(
        `the socket inside ${quoted(inside)} would lie in ${quoted(taken)}`,
        'Let it appear below /run.',
      );
    return { outside: real, inside };
  });
}
