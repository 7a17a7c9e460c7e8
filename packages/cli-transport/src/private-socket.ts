import { chmod, lstat, mkdir, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';
import { printable } from '@atelier/envelope';
import { CliTransportError } from './cli-error.ts';

/** What the kernel takes as the address of a unix socket, its closing NUL aside. */
const PATH_BYTES = 107;

/**
 * Listens on a unix socket for the owner alone. Its folder is made if it is not there, and stays: it is what walls let in,
 * so that the socket of a later host is found in it. A socket that nobody listens on any more is replaced. Rejects with
 * `SOCKET_PATH` for a path that the kernel would cut, and with `SOCKET_TAKEN` for one that can not be listened on.
 */
export async function listenPrivately(server: Server, socketPath: string): Promise<void> {
  if (Buffer.byteLength(socketPath) > PATH_BYTES)
    throw new CliTransportError(
      'SOCKET_PATH',
      `the socket's path is longer than ${PATH_BYTES} bytes: ${printable(socketPath)}`,
      'Put it into a folder with a shorter name.',
    );
  try {
    await mkdir(dirname(socketPath), { recursive: true, mode: 0o700 });
    if (await isAbandoned(socketPath)) await unlink(socketPath);
    await listening(server, socketPath);
    await chmod(socketPath, 0o600);
  } catch (cause) {
    throw new CliTransportError(
      'SOCKET_TAKEN',
      `no socket can be opened at ${printable(socketPath)}: ${printable(cause)}`,
      'Name a free path in a folder of the host that is writable.',
      cause,
    );
  }
}

/** Whether a host that was killed has left it. Anything else than a dead socket is somebody's. */
async function isAbandoned(path: string): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  if (!there?.isSocket()) return false;
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => resolve(false));
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
    probe.once('close', () => resolve(false));
    probe.once('connect', () => probe.destroy());
  });
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
