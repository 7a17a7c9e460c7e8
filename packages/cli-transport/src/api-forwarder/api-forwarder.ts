import { chmod } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { printable } from '@atelier/envelope';
import { CliTransportError } from '../cli-error.ts';
import { checkBaseUrl } from './base-url.ts';
import { forward } from './forward.ts';

export interface ApiForwarderOptions {
  /** Absolute; nothing may be there yet. Belongs in a folder that only the host can enter. */
  readonly socketPath: string;
  /** Where the model API is: http or https, with a path if it has one. */
  readonly baseUrl: string;
  /** Swapped on the way: whoever shows the token is let through with the key, and anybody else is refused. */
  readonly credential?: ApiCredential;
}

/** The real key stays with the host; a worker only has the token. */
export interface ApiCredential {
  readonly token: string;
  readonly key: string;
}

export interface ApiForwarder {
  readonly socketPath: string;
  /** Ends every connection and removes the socket. Idempotent. */
  close(): Promise<void>;
}

/** What the kernel takes as the address of a unix socket, its closing NUL aside. */
const PATH_BYTES = 107;
const CONNECTIONS = 256;

/**
 * Opens the model API, and nothing else, to whoever holds a unix socket: `POST /v1/messages` goes to `baseUrl`,
 * streamed both ways, everything else is answered 404. Headers pass as they are, but for the key that `credential`
 * swaps. Rejects with a coded error.
 */
export async function apiForwarder({
  socketPath,
  baseUrl,
  credential,
}: ApiForwarderOptions): Promise<ApiForwarder> {
  const base = checkBaseUrl(baseUrl);
  if (Buffer.byteLength(socketPath) > PATH_BYTES) {
    throw new CliTransportError(
      'API_SOCKET_PATH',
      `the socket's path is longer than ${PATH_BYTES} bytes: ${printable(socketPath)}`,
      'Put it into a folder with a shorter name.',
    );
  }
  const server = createServer((request, response) =>
    forward({ base, credential }, request, response),
  );
  server.maxConnections = CONNECTIONS;
  await listen(server, socketPath);
  await chmod(socketPath, 0o600);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    socketPath,
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      reject(
        new CliTransportError(
          'API_SOCKET',
          `no socket can be opened at ${printable(socketPath)}: ${printable(cause)}`,
          'Name a free path in a folder of the host that exists and is writable.',
          cause,
        ),
      );
    });
    server.listen(socketPath, resolve);
  });
}
